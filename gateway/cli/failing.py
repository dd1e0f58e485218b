"""How a command fails: one or two plain lines, and the exit code that scripts and service managers go by."""

from gateway.domain.errors import DragomanError, Misconfigured, Retry
from gateway.home import HomeBusy

FAILED, WRONG_USE, TEMPORARY, CONFIGURATION = 1, 2, 75, 78


class Stop(DragomanError):
    """A command ends here, with a sentence for whoever typed it and an exit code."""

    def __init__(self, message: str, *, code: int = FAILED) -> None:
        super().__init__(message)
        self.code = code


def code_of(error: DragomanError) -> int:
    """Choose the exit code for an error."""
    match error:
        case Stop():
            return error.code
        case Misconfigured():
            return CONFIGURATION
        case Retry() | HomeBusy():
            return TEMPORARY
        case _:
            return FAILED
