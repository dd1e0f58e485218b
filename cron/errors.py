"""What cannot be read as a schedule: which word, why, and what was perhaps meant."""


class NotUnderstood(ValueError):
    """A phrase that is no schedule: `reason` names the sentence, `facts` fill it, `word` is what was not understood."""

    def __init__(self, reason: str, *, word: str = "", **facts: object) -> None:
        super().__init__(f"{reason}: {word}")
        self.reason = reason
        self.word = word
        self.facts = facts
