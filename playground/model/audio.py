"""The stand-in's ears and mouth: /audio/transcriptions and /audio/speech, as strict as a provider is."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from aiohttp import BodyPartReader, web

from playground.model import answers, voices
from playground.model.answers import Answer

MOST_BYTES = 25 * 1024 * 1024
MOST_SPOKEN = 4096  # characters
ENDINGS = ("flac", "mp3", "mp4", "mpeg", "mpga", "m4a", "ogg", "wav", "webm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """One request about a voice: what was asked for, which file came or which words."""

    model: str
    name: str = ""
    mime: str = ""
    content: bytes = b""
    text: str = ""
    voice: str = ""


class Audio:
    """Two routes; `requests` are what was asked, `queue` answers the next ones with something else."""

    def __init__(self, welcome: Callable[[web.Request], bool]) -> None:
        self.requests: deque[Voice] = deque(maxlen=200)
        self._welcome = welcome
        self._queue: deque[Answer] = deque()

    def routes(self) -> list[web.RouteDef]:
        """Return what is to be served."""
        return [
            web.post("/v1/audio/transcriptions", self._transcribe),
            web.post("/v1/audio/speech", self._speak),
        ]

    def queue(self, *plan: Answer) -> None:
        """Answer the next requests about voices with these, one each."""
        self._queue.extend(plan)

    def clear(self) -> None:
        """Forget the queue and what was asked."""
        self._queue.clear()
        self.requests.clear()

    async def _transcribe(self, request: web.Request) -> web.Response:
        fields: dict[str, str] = {}
        name = mime = ""
        content = b""
        async for part in await request.multipart():
            if not isinstance(part, BodyPartReader):
                continue
            if part.name == "file":
                name, mime = part.filename or "", part.headers.get("Content-Type", "")
                content = bytes(await part.read())
            else:
                fields[part.name or ""] = await part.text()
        self.requests.append(Voice(model=fields.get("model", ""), name=name, mime=mime, content=content))
        if (refusal := self._refusal(request)) is not None:
            return refusal
        if not fields.get("model") or not content:
            return _plain(answers.refused_request("you must provide a model and a file"))
        if len(content) > MOST_BYTES:
            return _plain(answers.refused_request(f"Maximum content size limit ({MOST_BYTES}) exceeded"))
        if name.rpartition(".")[2].lower() not in ENDINGS:
            return _plain(answers.refused_request(f"Invalid file format. Supported formats: {list(ENDINGS)}"))
        return web.json_response({"text": voices.heard(content)})

    async def _speak(self, request: web.Request) -> web.Response:
        body = await request.json()
        text, voice = str(body.get("input", "")), str(body.get("voice", ""))
        self.requests.append(Voice(model=str(body.get("model", "")), text=text, voice=voice))
        if (refusal := self._refusal(request)) is not None:
            return refusal
        if not (body.get("model") and text and voice) or len(text) > MOST_SPOKEN:
            return _plain(answers.refused_request("you must provide a model, a voice and an input of 4096 characters"))
        return web.Response(body=voices.spoken(text), content_type="audio/ogg")

    def _refusal(self, request: web.Request) -> web.Response | None:
        if not self._welcome(request):
            return _plain(answers.refused_key())
        return _plain(self._queue.popleft()) if self._queue else None


def _plain(answer: Answer) -> web.Response:
    return web.Response(status=answer.status, text=answer.body, headers=answer.headers, content_type="application/json")
