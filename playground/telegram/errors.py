"""The errors of the Bot API, with the codes and words that the public server uses."""


class ApiError(Exception):
    """An answer with `ok: false`: HTTP code, description and the optional `parameters`."""

    def __init__(
        self, code: int, description: str, *, retry_after: int | None = None, migrate_to: int | None = None
    ) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.retry_after = retry_after
        self.migrate_to = migrate_to

    def wire(self) -> dict[str, object]:
        """Give the JSON body of the answer."""
        body: dict[str, object] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.retry_after is not None:
            body["parameters"] = {"retry_after": self.retry_after}
        elif self.migrate_to is not None:
            body["parameters"] = {"migrate_to_chat_id": self.migrate_to}
        return body


def bad_request(words: str) -> ApiError:
    """Make a 400 whose description starts as every 400 of the server does."""
    return ApiError(400, f"Bad Request: {words}")


def forbidden(words: str) -> ApiError:
    """Make a 403."""
    return ApiError(403, f"Forbidden: {words}")


def conflict(words: str) -> ApiError:
    """Make a 409."""
    return ApiError(409, f"Conflict: {words}")


def flood(seconds: int) -> ApiError:
    """Make a 429 that asks to wait whole seconds."""
    return ApiError(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)
