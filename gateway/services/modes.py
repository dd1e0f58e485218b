"""Which busy mode holds where: what somebody chose, else what the configuration says; in groups always `followup`."""

from typing import Literal, cast, get_args

from gateway.domain.ids import ConversationKey
from gateway.store import busy
from gateway.store.sqlite import Work

Mode = Literal["steer", "followup", "collect", "interrupt"]
MODES: tuple[Mode, ...] = get_args(Mode)


class Modes:
    """Says what a message does that comes while a turn runs."""

    def __init__(self, default: Mode) -> None:
        self.default = default

    def of(self, work: Work, lane: str, conversation: ConversationKey) -> Mode:
        """Read the mode of a talk: in a group each message has its own turn, for nobody steers another's."""
        if conversation.kind == "group":
            return "followup"
        return cast(Mode, busy.mode(work, lane) or self.default)
