"""The section `access`: who may talk, in which groups, and what happens to everybody else."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, Self

from pydantic import Field, model_validator

from gateway.config.types import (
    ConversationText,
    IdentityText,
    Language,
    ModestRole,
    Section,
    Text,
    Zone,
    impossible,
)
from gateway.domain.people import Role


class PersonEntry(Section):
    """A person who is known from the start."""

    name: Text = Field(description="What the person is called; each name once.", examples=["Ann"])
    role: Role = Field(
        default="user", description="`owner`, `admin`, `user`, `guest` or `blocked`.", examples=["owner"]
    )
    timezone: Zone | None = Field(
        default=None, description="Time zone; null: the daemon's.", examples=["America/New_York"]
    )
    language: Language | None = Field(
        default=None,
        description="Language of fixed sentences; null: as the person's app says.",
        examples=["it"],
    )
    identities: tuple[IdentityText, ...] = Field(
        default=(),
        description="The person's accounts as platform:id, by number and never by name.",
        examples=[["telegram:123456789", "email:ann@example.org"]],
    )


class GroupEntry(Section):
    """A group in which the agent speaks."""

    conversation: ConversationText = Field(
        description="The group as platform:id.", examples=["telegram:-1001234567890"]
    )
    mention: Literal["required", "free"] = Field(
        default="required",
        description="`required`: only what addresses the agent is answered; `free`: everything is.",
        examples=["free"],
    )
    role: ModestRole = Field(
        default="guest", description="Rights of everybody in this group, at most `user`.", examples=["user"]
    )
    overhear: int = Field(
        default=0,
        ge=0,
        le=1_000,
        description="How many unaddressed messages are kept as context, for 24 hours at most.",
        examples=[20],
    )


class Access(Section):
    """Who may talk; an empty list means nobody."""

    unknown: Literal["pair", "ignore", "open"] = Field(
        default="pair",
        description="Strangers: `pair` may ask to be let in, `ignore` hear nothing, `open` are served.",
        examples=["ignore"],
    )
    open_role: ModestRole = Field(
        default="guest",
        description="Role of strangers where `unknown` is `open`, at most `user`.",
        examples=["user"],
    )
    people: tuple[PersonEntry, ...] = Field(
        default=(),
        description="People who are known from the start.",
        examples=[[{"name": "Ann", "role": "owner", "identities": ["telegram:123456789"]}]],
    )
    groups: tuple[GroupEntry, ...] = Field(
        default=(),
        description="Groups in which the agent speaks.",
        examples=[[{"conversation": "telegram:-1001234567890", "mention": "required"}]],
    )

    @model_validator(mode="after")
    def _unambiguous(self) -> Self:
        _once("people", "name", (person.name.casefold() for person in self.people))
        _once("people", "identity", (identity for person in self.people for identity in person.identities))
        _once("groups", "conversation", (group.conversation for group in self.groups))
        return self


def _once(section: str, what: str, values: Iterable[str]) -> None:
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise impossible(f"{section} holds the same {what} twice: {', '.join(twice)}", "keep one of them")
