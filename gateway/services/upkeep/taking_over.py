"""The first start of a restored home: it goes on only when it is told that the old one is gone."""

import structlog

from gateway.domain.ids import Instant
from gateway.services.outbox import Outbox
from gateway.store import asleep
from gateway.store.sqlite import Work
from gateway.texts import sentence

log = structlog.get_logger(__name__)


def rouse(work: Work, outbox: Outbox, now: Instant, *, take_over: bool) -> None:
    """Wake a sleeping home and tell the owner what was set aside; raises Misconfigured when it must not answer yet."""
    woken = asleep.rouse(work, now, take_over=take_over)
    if woken is None:
        return
    log.warning("taken_over", backup_of=asleep.day(woken.made_at), unknown=woken.deliveries, set_aside=woken.messages)
    text = sentence("taken_over", when=asleep.day(woken.made_at), deliveries=woken.deliveries, messages=woken.messages)
    outbox.tell_owner(work, text, key=f"taken-over/{now:.0f}")
