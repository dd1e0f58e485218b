"""Hands each envelope to slack_bolt, which hands it to our one listener; it is acknowledged only if that returned."""

from collections.abc import Awaitable, Callable

from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from adapters.fields import Json
from adapters.slack.parse import Myself
from gateway.domain.errors import DragomanError, Retry

Hear = Callable[[str, Json], Awaitable[None]]


class Bolt:
    """slack_bolt with one listener for everything, and no calls of its own."""

    def __init__(self, me: Myself, hear: Hear) -> None:
        self._hear = hear
        self._trouble: DragomanError | None = None
        self._app = AsyncApp(
            name="dragoman",
            authorize=_authorized(me),  # who we are is known: no auth.test per event, which would lose it when refused
            process_before_response=True,
            request_verification_enabled=False,
            ignoring_self_events_enabled=False,
            ssl_check_enabled=False,
            url_verification_enabled=False,
        )
        self._app.use(self._listener())

    async def dispatch(self, kind: str, payload: Json) -> None:
        """Have one envelope stored; raises what the listener raises."""
        self._trouble = None
        request = AsyncBoltRequest(mode="socket_mode", body=dict(payload), context={"envelope": kind})
        response = await self._app.async_dispatch(request)
        if self._trouble is not None:
            raise self._trouble
        if response.status != 200:
            raise Retry(f"slack_bolt refuses an envelope ({response.status})", account=True)

    def _listener(self) -> Callable[[AsyncBoltContext, dict[str, object]], Awaitable[BoltResponse]]:
        """Make the listener: a plain function, for the library gives arguments by their names."""

        async def listen(context: AsyncBoltContext, body: dict[str, object]) -> BoltResponse:
            try:
                await self._hear(str(context["envelope"]), body)
            except DragomanError as trouble:
                self._trouble = trouble  # the library would log it and answer 500
                return BoltResponse(status=500)
            return BoltResponse(status=200)

        return listen


def _authorized(me: Myself) -> Callable[[], Awaitable[AuthorizeResult]]:
    async def authorize() -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=None,
            team_id=me.team,
            bot_user_id=me.user,
            bot_id=me.bot,
            bot_token="hidden",  # noqa: S106  calls go by our own wire
        )

    return authorize
