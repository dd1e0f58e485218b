"""Commands about who answers and how the last answer came about."""

from gateway.services.commands.context import Asked, Context
from gateway.store import sent, sessions, transcript
from gateway.store.sqlite import Work
from gateway.texts import inert, say


def model(work: Work, asked: Asked, context: Context) -> str:
    """Say which model answers here, or let another of the configured ones answer this talk from now on."""
    mind, language = context.mind(), asked.language
    names = [one.model for one in mind.models.standing]
    session = sessions.current(work, asked.route.talk)
    chosen = session.chosen if session is not None and session.chosen in names else names[0]
    listed = ", ".join(map(inert, names))
    if not asked.rest:
        return say("model.is", language, model=inert(chosen), models=listed)
    if session is None:
        return say("model.no_talk", language)
    wanted = asked.rest.casefold()
    found = [name for name in names if name.casefold() == wanted] or [n for n in names if wanted in n.casefold()]
    if len(found) != 1:
        return say("model.unknown", language, name=inert(asked.rest), models=listed)
    sessions.choose(work, session.id, None if found[0] == names[0] else found[0])
    return say("model.set", language, model=inert(found[0]))


def why(work: Work, asked: Asked, _context: Context) -> str:
    """Say how the asker's last answer here came about."""
    turn = sessions.last_turn(work, asked.route.talk)
    took = sessions.cost(work, turn.id) if turn is not None else None
    if turn is None or took is None or asked.person is None or turn.person != asked.person.id:
        return say("why.nothing", asked.language)
    session = sessions.get(work, turn.session)
    calls = [call.name for step in transcript.of_turn(work, turn.id) for call in step.calls]
    return say(
        "why.last",
        asked.language,
        rule=inert(sessions.rule_of(work, turn.id)),
        title=inert(session.title) if session is not None else "",
        turn=turn.id,
        model=inert(took["model"] or "-"),
        seconds=round((took["ended_at"] or took["opened_at"]) - took["opened_at"], 1),
        tools=inert(", ".join(calls) or "-"),
        input=took["input_tokens"],
        cached=took["cached_tokens"],
        output=took["output_tokens"],
        parts=sent.parts(work, turn.id),
    )
