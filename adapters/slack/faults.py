"""What a refusal or a broken connection means for the house: each failure becomes one of its errors (pure)."""

from dataclasses import dataclass

from gateway.domain.errors import DragomanError, GiveUp, Misconfigured, Retry, Unsure

FLOOD_SECONDS = 5.0  # a 429 that names no time
SERVER_SECONDS = 3.0
TOKENS = {
    "auth.test": "Slack does not know this bot token",
    "apps.connections.open": "Slack does not know this app token",
}
_WRONG_TOKEN = frozenset(
    {"account_inactive", "invalid_auth", "not_authed", "token_expired", "token_revoked", "not_allowed_token_type"}
)
_SWITCHED_OFF = frozenset({"app_disabled", "not_enabled", "socket_mode_not_enabled", "link_disabled", "no_permission"})
_LATER = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded"})
_BROKEN = frozenset(
    {"fatal_error", "internal_error", "request_timeout", "service_unavailable", "team_added_to_org", "accesslimited"}
)


class Refused(GiveUp):
    """Slack refuses a call for what it says; `code` is Slack's word for it."""

    def __init__(self, reason: str, *, code: str) -> None:
        super().__init__(reason)
        self.code = code


class Uncertain(Unsure):
    """The outcome is unknown; `answered` when the server had finished with the call, only without a result."""

    def __init__(self, reason: str, *, answered: bool) -> None:
        super().__init__(reason)
        self.answered = answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What has to be known of a call to judge its failure."""

    method: str
    repeatable: bool  # done twice is the same as done once
    of_chat: bool  # it concerns one conversation, not the whole account


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer that is no result; `code` is empty where it was not Slack that answered."""

    status: int
    code: str = ""
    needed: str = ""  # the scope that is missing
    detail: str = ""
    retry_after: float = 0.0


def judge_answer(answer: Answer, call: Call) -> DragomanError:
    """Say what to do next after an answer without a result."""
    detail = f" ({answer.detail})" if answer.detail else ""
    reason = f"{call.method}: {answer.code or f'status {answer.status}'}{detail}"
    if answer.status == 429 or answer.code in _LATER:
        return Retry(reason, after=answer.retry_after or FLOOD_SECONDS, account=not call.of_chat)
    if answer.status >= 500 or answer.code in _BROKEN or not answer.code:
        if call.repeatable:
            return Retry(reason, after=answer.retry_after or SERVER_SECONDS, account=not call.of_chat)
        return Uncertain(reason, answered=bool(answer.code))
    return _judge_refusal(answer, call, reason)


def _judge_refusal(answer: Answer, call: Call, reason: str) -> DragomanError:
    if answer.code in _WRONG_TOKEN:
        whose = TOKENS.get(call.method, TOKENS["auth.test"])
        return Misconfigured(f"{whose} ({answer.code}); `dragoman setup slack` says where the right one stands")
    if answer.code in _SWITCHED_OFF and call.method == "apps.connections.open":
        return Misconfigured(f"Socket Mode is off for this app ({answer.code}); switch it on at api.slack.com/apps")
    if answer.code == "missing_scope":
        reason = f"{call.method}: the app lacks the scope {answer.needed or '?'}; add it and install the app again"
        if call.method in ("chat.postMessage", "apps.connections.open"):
            return Misconfigured(reason)
    return Refused(reason, code=answer.code)


def judge_break(words: str, call: Call, *, begun: bool) -> DragomanError:
    """Say what to do next after a connection that broke; `begun` when a byte of the call was written."""
    reason = f"{call.method}: {words}"
    if not begun:
        return Retry(reason, account=True)
    return Retry(reason, account=not call.of_chat) if call.repeatable else Uncertain(reason, answered=False)
