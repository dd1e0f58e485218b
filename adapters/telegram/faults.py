"""What an answer or a broken connection means for the house: each Bot API failure becomes one of its errors (pure)."""

from dataclasses import dataclass

from telegram.error import TelegramError

from gateway.domain.errors import DragomanError, GiveUp, Misconfigured, Moved, Retry, Unsure

FLOOD_SECONDS = 5.0  # a 429 that names no time
SERVER_SECONDS = 3.0


class Refused(GiveUp):
    """The Bot API refuses the content of a call; the message is its description."""

    def says(self, *phrases: str) -> bool:
        """Whether the description holds one of these phrases, in any case."""
        description = str(self).casefold()
        return any(phrase.casefold() in description for phrase in phrases)


class Contested(Retry):
    """Somebody else reads this bot's updates: another poll, or a webhook."""

    def __init__(self, reason: str, *, webhook: bool) -> None:
        super().__init__(reason, after=3.0, account=True)
        self.webhook = webhook


class Answered(TelegramError):
    """The server answered, and not with a result."""

    def __init__(self, status: int, description: str, *, retry_after: float = 0, migrate_to: int = 0) -> None:
        super().__init__(description)
        self.status = status
        self.description = description
        self.retry_after = retry_after
        self.migrate_to = migrate_to


class Unreached(TelegramError):
    """The call broke before a byte of it was written: surely not done."""


class Cut(TelegramError):
    """The call broke after it was written, at least in part: perhaps done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What has to be known of a call to judge its failure."""

    method: str
    repeatable: bool  # done twice is the same as done once
    of_chat: bool  # it concerns one chat, not the whole account


def judge(failure: TelegramError, call: Call) -> DragomanError:
    """Say what to do next after a failed call."""
    if isinstance(failure, Answered):
        return _judge_answer(failure, call)
    reason = f"{call.method}: {failure.message}"
    if isinstance(failure, Unreached):
        return Retry(reason, account=True)
    return Retry(reason, account=not call.of_chat) if call.repeatable else Unsure(reason)


def _judge_answer(answer: Answered, call: Call) -> DragomanError:
    reason = f"{call.method}: {answer.description}"
    said = answer.description.casefold()
    verdict: DragomanError = Refused(reason)
    match answer.status:
        case _ if answer.migrate_to:
            verdict = Moved(reason, chat=str(answer.migrate_to))
        case 429:
            verdict = Retry(reason, after=answer.retry_after or FLOOD_SECONDS, account=not call.of_chat)
        case 409:
            verdict = Contested(reason, webhook="webhook" in said)
        case 401:
            verdict = Misconfigured("Telegram doesn't know this bot token (401); @BotFather shows the right one")
        case 404 if "method not found" not in said:
            verdict = Misconfigured("Telegram doesn't know this bot token (404); check it, and base_url")
        case 403:
            verdict = GiveUp(reason)
        case status if 300 <= status < 400:
            verdict = Misconfigured(f"{reason}: base_url redirects; write the address it leads to")
        case status if status >= 500:
            again = Retry(reason, after=answer.retry_after or SERVER_SECONDS, account=not call.of_chat)
            verdict = again if call.repeatable else Unsure(reason)
    return verdict
