"""The parts that take messages in and open turns for them, on a store of their own: no adapter, no model, no worker."""

from collections.abc import Callable
from typing import NamedTuple

from gateway.domain.ports import Clock
from gateway.services.admission import Policy
from gateway.services.intake import Intake, Words
from gateway.services.letters import Letters
from gateway.services.meanwhile import Meanwhile
from gateway.services.modes import Mode, Modes
from gateway.services.opening import Opener, Settings
from gateway.services.outbox import Outbox
from gateway.services.registry import Lines
from gateway.services.talks.reset import Policies
from gateway.services.talks.reset import Policy as Reset
from gateway.services.tools.approvals import Approvals
from gateway.store.blobs import Blobs
from gateway.store.sqlite import SqliteDatabase


class Door(NamedTuple):
    """What was made."""

    intake: Intake
    opener: Opener
    outbox: Outbox


def door(
    db: SqliteDatabase,
    clock: Clock,
    policy: Policy,
    words: Words,
    *,
    boot: str = "boot",
    busy: Mode = "steer",
    interrupt: Callable[..., None] = print,
) -> Door:
    """Make an intake and an opener that share everything, without a single account."""
    lines = Lines([], clock)
    outbox = Outbox(db=db, lines=lines, clock=clock, boot=boot)
    settings = Settings("m", Modes(busy), "UTC", Policies(Reset("manual", 24.0, notice=False), {}, {}), lambda _: "")
    opener = Opener(settings=settings, outbox=outbox, clock=clock, boot=boot)
    approvals = Approvals(
        db=db,
        outbox=outbox,
        lines=lines,
        clock=clock,
        boot=boot,
        blobs=Blobs(db.path.parent / "blobs"),
        seconds=300,
        askable=lambda _: True,
    )
    intake = Intake(
        db=db,
        clock=clock,
        policy=policy,
        words=words,
        heard=lambda _: False,
        away=lambda _account, _at: None,
        meanwhile=Meanwhile(opener=opener, outbox=outbox, lines=lines, approvals=approvals),
        interrupt=interrupt,
        letters=Letters(outbox=outbox, lines=lines),
    )
    return Door(intake, opener, outbox)
