"""Hooks: programs and functions of whoever runs the machine, told what happens; one of them may add a note to a turn.

Promise: only what root or the user of the service owns and nobody else may write is run, with a clean environment and
a deadline; one that fails is logged and skipped, and what one says is data for the model, never an instruction.
"""

import asyncio
import importlib
import importlib.util
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

import structlog

from agent.types import Reply
from agent.types import Step as Line
from gateway.config.hooks import Event, Hook, read_hooks
from gateway.domain.errors import GiveUp
from gateway.domain.ids import ConversationKey
from gateway.domain.sessions import Session
from gateway.services.journal import Journal
from gateway.services.opening import Opened
from gateway.services.scripts import Scripts, untrusted
from gateway.store import happened, sessions
from gateway.store.sqlite import SqliteDatabase

log = structlog.get_logger(__name__)
OUTSIDE = "a hook"
LOOK_SECONDS = 1.0
LONGEST_NOTE = 4000  # characters
Facts = Mapping[str, object]


class Hooks:
    """The hooks of a configuration, none until they are read."""

    def __init__(self, hide: Callable[[str], str]) -> None:
        self._table: Mapping[Event, Sequence[Hook]] = {}
        self._folder = Path()
        self._hide = hide

    def read(self, beside: Path) -> None:
        """Read the hooks that lie in the configuration's folder; raises Misconfigured."""
        self._table, self._folder = read_hooks(beside), beside / "hooks"

    async def before(self, opened: Opened, steps: list[Line], journal: Journal) -> list[Line]:
        """Tell of a turn before its first request; what is said is a line of the transcript from then on."""
        turn = opened.turn
        mine = [step for step in opened.steps if step.turn == turn.id]
        if "pre_llm_call" not in self._table or any(step.role != "user" or step.outside == OUTSIDE for step in mine):
            return steps  # it was told before the turn was interrupted
        text = "\n\n".join(step.content for step in mine)
        said = await self._tell("pre_llm_call", turn.conversation, self._facts(opened) | {"text": text})
        if not said:
            return steps
        note = Line(role="user", content=f"[note by a hook, not the person's words]\n{said}", outside=OUTSIDE)
        await journal.note(note)
        return [*steps, note]

    async def after(self, opened: Opened, reply: Reply) -> None:
        """Tell of an answer before it is committed."""
        if "post_llm_call" in self._table:
            await self._tell("post_llm_call", opened.turn.conversation, self._facts(opened) | {"text": reply.text})

    async def watch(self, db: SqliteDatabase) -> None:
        """Tell of sessions that began and ended, each once more after a crash; returns where nobody is to be told."""
        if not {"on_session_start", "on_session_end"} & set(self._table):
            return await db.write(happened.forget)
        while True:
            while (one := await happened.first(db)) is not None:
                await self._of_session(db, one)
            await asyncio.sleep(LOOK_SECONDS)

    async def _of_session(self, db: SqliteDatabase, one: happened.Happened) -> None:
        session, place = await db.write(
            lambda work: (sessions.get(work, one.session), sessions.last_place(work, one.session)), durable=False
        )
        event: Event = "on_session_end" if one.event == "on_session_end" else "on_session_start"
        if session is not None and event in self._table:
            await self._tell(event, place, _session_facts(session))
        await db.write(lambda work: happened.told(work, one.id))

    def _facts(self, opened: Opened) -> dict[str, object]:
        turn = opened.turn
        return {"turn": turn.id, "conversation": str(turn.conversation), "role": opened.role} | _session_facts(
            opened.session
        )

    async def _tell(self, event: Event, place: ConversationKey | None, facts: Facts) -> str:
        """Run the hooks of an event one after the other; gives what they said."""
        platform = place.platform if place is not None else None
        told = self._hide(json.dumps({"event": event, "platform": platform, **facts}, ensure_ascii=False))
        said = []
        for hook in self._table.get(event, ()):
            if hook.platforms is not None and platform not in hook.platforms:
                continue
            running = asyncio.ensure_future(self._run(hook, told))  # somebody else's code: no turn ends with it
            try:
                await asyncio.wait({running}, timeout=hook.seconds)
            finally:
                running.cancel()
                await asyncio.wait({running})
            wrong = TimeoutError(f"longer than {hook.seconds:g} s") if running.cancelled() else running.exception()
            if wrong is not None:
                log.warning("hook_failed", hook=hook.run, on=event, reason=f"{type(wrong).__name__}: {wrong}")
            else:
                said.append(running.result())
        return self._hide("\n\n".join(filter(None, said)))[:LONGEST_NOTE]

    async def _run(self, hook: Hook, told: str) -> str:
        name, colon, function = hook.run.partition(":")
        if not colon:
            return (await Scripts(self._folder, seconds=hook.seconds).run(name, told.encode())).text
        call = getattr(_trusted(name), function)
        facts = json.loads(told)
        said = await call(facts) if inspect.iscoroutinefunction(call) else await asyncio.to_thread(call, facts)
        return said if isinstance(said, str) else ""


def _trusted(name: str) -> ModuleType:
    """Load a module whose file nobody else may write; raises GiveUp."""
    found = importlib.util.find_spec(name)
    why = untrusted(Path(found.origin)) if found is not None and found.origin else f"there is no module {name}"
    if why is not None:
        raise GiveUp(why)
    return importlib.import_module(name)


def _session_facts(session: Session) -> dict[str, object]:
    return {
        "session": session.id,
        "person": session.person,
        "model": session.model,
        "opened_at": session.opened_at,
        "closed_by": session.closed_by,
    }
