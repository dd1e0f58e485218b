"""What each command does and answers: one plain function each, inside the transaction that ends its row."""

from gateway.domain.people import allows
from gateway.services.commands.context import Asked, Context
from gateway.store import audit, lanes, people
from gateway.store.sqlite import Work
from gateway.texts import inert, say

RESTART = "restart"  # the bell that ends the daemon for another start


def help_(_work: Work, asked: Asked, context: Context) -> str:
    """List what the asker may say."""
    group = asked.message.conversation.kind == "group"
    mine = [one for one in context.commands if allows(asked.role, one.role) or (one.own and group)]
    lines = [f"/{one.name}: {say(one.summary, asked.language)}" for one in mine]
    return say("help", asked.language, name=context.name, commands="\n".join(f"- {line}" for line in lines))


def start(work: Work, asked: Asked, context: Context) -> str:
    """Greet with the help; one with a code comes here only in a group, where it was burnt."""
    return say("pair.in_group", asked.language) if asked.rest else help_(work, asked, context)


def whoami(work: Work, asked: Asked, context: Context) -> str:
    """Say who the asker is to us; in a group only what counts there."""
    person = asked.person
    if asked.message.conversation.kind == "group" or person is None:
        return say("whoami.group", asked.language, role=asked.route.role)
    accounts = ", ".join(inert(str(one)) for one in people.identities(work, person.id))
    zone = person.timezone or context.timezone
    return say("whoami", asked.language, name=inert(person.name), role=asked.role, accounts=accounts, timezone=zone)


def stop(_work: Work, asked: Asked, _context: Context) -> str:
    """Say what was stopped and withdrawn."""
    ended = asked.ended
    if ended is None or not any(ended):
        return say("nothing_to_stop", asked.language)
    if ended.queued:
        return say("stopped.queued", asked.language, count=ended.queued)
    return say("stopped.parts", asked.language) if ended.parts and not ended.turn else say("stopped", asked.language)


def status(work: Work, asked: Asked, context: Context) -> str:
    """Say how we are; in a group only that we are up."""
    if asked.message.conversation.kind == "group":
        return say("status.group", asked.language)
    now = context.clock()
    rows = []
    for line in context.lines.all:
        age = f"{now - line.heard_at:.0f} s" if line.heard_at is not None else "-"
        rows.append(f"- {line.name}: {line.state}, {age}" + (f" ({line.trouble})" if line.trouble else ""))
    trouble = "".join(
        say("status.incident", asked.language, subject=one["subject"], minutes=int((now - one["opened_at"]) // 60))
        for one in audit.incidents(work)
    )
    models = [f"{one.model} ({one.trouble})" if one.trouble else one.model for one in context.mind().models.standing]
    waiting = lanes.depth(work, "inbox") - context.running() - 1  # this command
    return say(
        "status",
        asked.language,
        platforms="\n".join(rows),
        models=inert(", ".join(models)),
        waiting=max(waiting, 0),
        running=context.running(),
        incidents=trouble,
    )


def restart(work: Work, asked: Asked, _context: Context) -> str:
    """Let the daemon end after this commit, with the code that starts it again."""
    work.ring(RESTART)
    return say("restart", asked.language)
