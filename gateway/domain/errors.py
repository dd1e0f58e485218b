"""What can go wrong, sorted by what to do next."""


class DragomanError(Exception):
    """Root of all errors that the house raises on purpose."""


class Retry(DragomanError):
    """Temporary: try again after `after` seconds; `account` pauses the whole account, not just the lane."""

    def __init__(self, reason: str, *, after: float = 1.0, account: bool = False) -> None:
        super().__init__(reason)
        self.after = after
        self.account = account


class StorageTrouble(Retry):
    """The store cannot write now (full disk, lock, I/O): take no work, keep the bytes, try again."""


class GiveUp(DragomanError):
    """It will never work: park the item for a human; `tell` names the sentence for the person who waits."""

    def __init__(self, reason: str, *, tell: str = "apology") -> None:
        super().__init__(reason)
        self.tell = tell


class Unsure(DragomanError):
    """The outcome is unknown: the other side may have done it."""


class Moved(DragomanError):
    """The conversation lives elsewhere now: `chat` is its new native id."""

    def __init__(self, reason: str, *, chat: str) -> None:
        super().__init__(reason)
        self.chat = chat


class Misconfigured(DragomanError):
    """A human has to change the configuration; starting again does not help."""


class NotUnderstood(DragomanError):
    """A phrase that is no plan: `reason` names the sentence, `facts` fill it, `word` is what was not understood."""

    def __init__(self, reason: str, *, word: str = "", **facts: object) -> None:
        super().__init__(f"{reason}: {word}")
        self.reason = reason
        self.word = word
        self.facts = facts


class LostLease(DragomanError):
    """Somebody else holds the lane now; nothing of this commit happened."""
