"""Errors as the API words them."""

from playground.discord.world import Wire


class ApiError(Exception):
    """A call that is refused: HTTP status, Discord's own code, and its words."""

    def __init__(self, status: int, code: int, message: str, *, errors: Wire | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def wire(self) -> Wire:
        """Give the body."""
        body: Wire = {"message": self.message, "code": self.code}
        return {**body, "errors": self.errors} if self.errors else body


def unauthorized() -> ApiError:
    """Refuse a token."""
    return ApiError(401, 0, "401: Unauthorized")


def not_found() -> ApiError:
    """Refuse a path that is none."""
    return ApiError(404, 0, "404: Not Found")


def unknown(what: str, code: int) -> ApiError:
    """Say that something does not exist."""
    return ApiError(404, code, f"Unknown {what}")


def missing_access() -> ApiError:
    """Say that the bot may not see a place."""
    return ApiError(403, 50001, "Missing Access")


def missing_permissions() -> ApiError:
    """Say that the bot may not do a thing."""
    return ApiError(403, 50013, "Missing Permissions")


def invalid(field: str, code: str, words: str) -> ApiError:
    """Say which field of a form is wrong."""
    return ApiError(400, 50035, "Invalid Form Body", errors={field: {"_errors": [{"code": code, "message": words}]}})
