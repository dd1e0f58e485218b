"""Which mails belong together, and how an answer finds its thread after a restart (pure).

A thread is what the mails say of it (References, In-Reply-To), never who wrote them: two questions of one person
are two threads.
"""

import json
import re
from dataclasses import dataclass
from typing import Final

from adapters.email import automatic
from adapters.email.mime import Mail

MOST_REFERENCES: Final = 12
LONGEST_SUBJECT: Final = 200
_REPLY: Final = re.compile(
    r"(?:\s*(?:re|aw|sv|vs|ref|rif|odp|ynt|antw|antwort|réf|res|回复|回覆|答复|답장|отв)\s*(?:\[\d+\])?\s*[:：])+\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """Where a mail stands: its id, what came before it, the first mail of all, and the subject."""

    id: str = ""
    references: tuple[str, ...] = ()
    answers: str = ""  # the mail that this one answers
    subject: str = ""

    @classmethod
    def of(cls, mail: Mail) -> "Thread":
        """Read it from a mail's headers."""
        chain = _ids(mail.first("references"))
        answers = next(iter(_ids(mail.first("in-reply-to"))), "") or (chain[-1] if chain else "")
        return cls(
            id=automatic.message_id(mail.first("message-id")),
            references=_short(tuple(dict.fromkeys(chain))),
            answers=answers,
            subject=mail.text("subject")[:LONGEST_SUBJECT],
        )

    @property
    def root(self) -> str:
        """The id of the thread's first mail; one of its own for a mail without ids."""
        first = self.references[0] if self.references else self.answers or self.id
        return first or f"<none.{abs(hash_of(self.subject)):x}>"

    @property
    def chain(self) -> tuple[str, ...]:
        """The References of an answer to this mail."""
        known = self.references or ((self.answers,) if self.answers else ())
        return _short(tuple(dict.fromkeys((*known, *((self.id,) if self.id else ())))))

    def native(self) -> str:
        """Write it down as the id of a message, from which an answer can be threaded."""
        return json.dumps([self.id, list(self.chain), self.subject], ensure_ascii=False, separators=(",", ":"))


NO_THREAD: Final = Thread()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The headers that put an answer into its thread."""

    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    subject: str = ""


def reply(native: str) -> Reply:
    """Read back what `native` wrote; anything else threads nothing."""
    try:
        found = json.loads(native)
    except ValueError:
        return Reply()
    match found:
        case [str(own), list(chain), str(subject)] if all(isinstance(one, str) for one in chain):
            bare = _REPLY.sub("", subject, count=1) if _REPLY.match(subject) else subject
            references = tuple(one for one in map(automatic.message_id, chain) if one)
            return Reply(in_reply_to=automatic.message_id(own), references=references, subject=f"Re: {bare}".strip())
        case _:
            return Reply()


def hash_of(text: str) -> int:
    """Give a number that stays the same for a text, in every process."""
    return int.from_bytes(text.encode("utf-8", "replace")[:64].ljust(8, b"\0"), "big") % (1 << 61)


def _ids(raw: str) -> list[str]:
    found = [automatic.message_id(one) for one in re.findall(r"<[^<>]{1,600}>", raw[:60_000])]
    return [one for one in found if one and len(one) < 300]


def _short(chain: tuple[str, ...]) -> tuple[str, ...]:
    """Keep the first and the latest of a long chain."""
    return chain if len(chain) <= MOST_REFERENCES else (chain[0], *chain[-MOST_REFERENCES + 1 :])
