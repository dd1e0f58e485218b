"""What matters of several errors that came at once."""

from gateway.domain.errors import DragomanError, Misconfigured


def first_of(group: ExceptionGroup) -> Exception:
    """Give what a human has to mend, else an error of the house, else the first."""
    found = [first_of(error) if isinstance(error, ExceptionGroup) else error for error in group.exceptions]
    for kind in (Misconfigured, DragomanError):
        if known := [error for error in found if isinstance(error, kind)]:
            return known[0]
    return found[0]
