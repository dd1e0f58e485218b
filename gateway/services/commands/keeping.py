"""What follows when somebody keeps a talk that was about to end, or lets it end."""

from gateway.domain.ids import SessionId
from gateway.domain.sessions import Session
from gateway.services.commands.context import Context
from gateway.services.commands.deciding import Decision, Outcome
from gateway.store import sessions
from gateway.store.sqlite import Work
from gateway.texts import inert, say


def decide(work: Work, decision: Decision, context: Context) -> Outcome:
    """Let the end pass by that was announced, once; another one is announced as before."""
    language, lifetimes = decision.by.language, context.opener.lifetimes
    session = sessions.get(work, SessionId(decision.offer.subject))
    if session is None or session.closed_at is not None:
        return Outcome(say("keep.over", language))
    if decision.word == "end":
        return Outcome(say("keep.ends", language))
    where, now = decision.asked.message.conversation, context.clock()
    sessions.keep(work, session.id, until=max(decision.offer.expires_at, now), now=now)
    kept = sessions.get(work, session.id)
    if kept is not None:
        place = sessions.last_place(work, kept.id) or where
        lifetimes.note(work, kept, place, decision.asked.role, key=decision.offer.id)
    return Outcome(say("keep.kept", language, title=_title(session, language)))


def _title(session: Session, language: str | None) -> str:
    return inert(session.title) or say("untitled", language)
