"""What the Web API answers when it refuses."""


class ApiError(Exception):
    """A refusal: `code` as in `{"ok": false, "error": code}`, with more members beside it."""

    def __init__(self, code: str, *, status: int = 200, retry_after: int = 0, **more: object) -> None:
        super().__init__(code)
        self.code = code
        self.status = status
        self.retry_after = retry_after
        self.more = more


def limited(seconds: int) -> ApiError:
    """Make the answer to too many calls."""
    return ApiError("ratelimited", status=429, retry_after=seconds)
