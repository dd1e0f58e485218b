"""Which lane a message waits in: one function builds these names, for everybody."""

from gateway.domain.ids import ConversationKey, UserId
from gateway.domain.messages import InboundMessage
from gateway.store.lanes import BESIDE

FIRE = "cron/"  # begins the key of a run
JOB = "job:"  # begins the lane of a job's runs


def job_lane(job: str) -> str:
    """Name the lane in which the runs of a job happen, one after the other, in a session of their own."""
    return f"{JOB}{job}"


def talk_lane(conversation: ConversationKey, person: UserId | None, *, apart: bool = False) -> str:
    """Name the lane of the session that a message concerns, by the name under which its conversation began.

    A direct talk belongs to the person on every platform, unless it is set apart; threads and groups have one of
    their own.
    """
    if conversation.thread is not None:
        return f"thread:{conversation}"
    if conversation.kind == "group":
        return f"chat:{conversation}"
    if person is None:
        message = f"a direct talk without a person: {conversation}"
        raise ValueError(message)
    return f"apart:{conversation}" if apart else user_lane(person)


def user_lane(person: UserId) -> str:
    """Name the lane that all direct talks of a person share."""
    return f"user:{person}"


def beside(lane: str) -> str:
    """Name the lane of commands that run while the other one is busy."""
    return f"{BESIDE}{lane}"


def pair_lane(message: InboundMessage) -> str:
    """Name the lane in which a stranger's codes are tried, one after the other."""
    return f"{BESIDE}pair:{message.sender}"


def together(message: InboundMessage) -> str:
    """Name what may share a turn: one conversation and one sender, and within it one topic."""
    return f"{message.conversation}|{message.sender}{f'|{message.topic}' if message.topic else ''}"
