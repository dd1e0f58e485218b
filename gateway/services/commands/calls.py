"""What deciding about a dangerous call does: the turn that waits for it goes on."""

from typing import cast

from gateway.domain.people import allows
from gateway.services.commands.context import Asked, Context
from gateway.services.commands.deciding import Decision, Outcome
from gateway.store import approvals, audit
from gateway.store.sqlite import Work
from gateway.texts import inert, say


def decide(work: Work, decision: Decision, context: Context) -> Outcome:
    """Allow a call or refuse it, by somebody who may use the tool; guests decide nothing."""
    one = approvals.get(work, decision.offer.id)
    language = decision.by.language
    if one is None:
        return Outcome(say("offer.none", language, id=decision.offer.id), final=False)
    if not (allows(decision.asked.role, one.least) and allows(decision.asked.role, "user")):
        return Outcome(say("approval.not_allowed", language, tool=inert(one.tool), role=one.least), final=False)
    word = cast(approvals.Decision, decision.word)
    if word != "no" and not context.approvals.askable(decision.asked.message.conversation):
        return Outcome(say("approval.elsewhere", language, id=one.id), final=False)
    context.approvals.decide(work, one, word, decision.by.id)
    return Outcome(say(f"approval.decided.{word}", language, tool=inert(one.tool)))


def revoke(work: Work, asked: Asked, context: Context) -> str:
    """Ask again about the asker's calls that were allowed for longer."""
    language = asked.language
    tools = approvals.revoke(work, asked.person.id) if asked.person else []
    if not tools:
        return say("approval.nothing_allowed", language)
    audit.add(work, "approval", "always", f"taken back: {', '.join(tools)}", context.clock())
    return say("approval.asked_again", language, tools=", ".join(map(inert, tools)))
