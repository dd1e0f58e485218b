"""Where what belongs to somebody lies: a folder for each person, one for each group, and their workspace in it."""

from pathlib import Path

from gateway.domain.sessions import Turn


def folder(agent: Path, turn: Turn) -> Path | None:
    """Name the folder that a turn works for: its person's, or in a group the group's, whoever asks there."""
    if turn.conversation.kind == "group":
        began = turn.lane.partition(":")[2].split("/")[:3]  # the name that a group keeps wherever it moves
        return agent / "groups" / ",".join(began)  # no part of a name holds a comma
    return None if turn.person is None else agent / "people" / turn.person


def workspace(agent: Path, turn: Turn) -> Path | None:
    """Name the folder in which the files of a turn lie."""
    found = folder(agent, turn)
    return None if found is None else found / "workspace"
