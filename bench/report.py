"""The figures as a table for people and as JSON for programs, beside the budgets of the contract."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table

FLOOR = "floor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """One figure: how it reads, and at most how much of it the contract allows (None: it is only shown)."""

    name: str
    what: str
    unit: str
    most: float | None = None


BUDGETS = (
    Budget(name="start", what="process start → first reply", unit="s", most=1.5),
    Budget(name="start.best", what="  the best start", unit="s"),
    Budget(name="all.start", what="process start → all platforms up", unit="s", most=2.5),
    Budget(name="all.rss", what="  idle with all of them, memory", unit="MiB", most=130),
    Budget(name="all.cpu", what="  idle with all of them, of a core", unit="%", most=0.5),
    Budget(name="idle.rss", what="idle, memory", unit="MiB", most=90),
    Budget(name="idle.cpu", what="idle, of a core", unit="%", most=0.5),
    Budget(name="one.p50", what="overhead, 1 chat, p50", unit="ms", most=15),
    Budget(name="one.p95", what="  p95", unit="ms"),
    Budget(name="fifty.p50", what="overhead, 50 chats at once, p50", unit="ms", most=80),
    Budget(name="fifty.p95", what="  p95", unit="ms"),
    Budget(name="one.cpu", what="CPU per message, 1 chat", unit="ms", most=8),
    Budget(name="fifty.cpu", what="CPU per message, 50 chats at once", unit="ms", most=8),
    Budget(name="crowd", what="1,000 chats, model takes 2 s, all answered", unit="s", most=12),
    Budget(name="crowd.rss", what="  memory on top of idle", unit="MiB", most=60),
    Budget(name="flow", what="200 chats, no pause, model time 0", unit="messages/s"),
)
Figures = Mapping[str, Mapping[str, float]]


def rows(figures: Figures) -> list[dict[str, object]]:
    """Give one row per budget: figures by side, ratios to the floor, and whether the first side keeps within."""
    made: list[dict[str, object]] = []
    for budget in BUDGETS:
        values = {side: found[budget.name] for side, found in figures.items() if budget.name in found}
        floor, ours = values.get(FLOOR), next(iter(values.values()), None)
        made.append(
            {
                "name": budget.name,
                "what": budget.what.strip(),
                "unit": budget.unit,
                "budget": budget.most,
                "figures": {side: round(value, 3) for side, value in values.items()},
                "ratios": {side: round(value / floor, 2) for side, value in values.items() if floor and side != FLOOR},
                "kept": None if budget.most is None or ours is None else ours <= budget.most,
            }
        )
    return made


def kept(figures: Figures) -> bool:
    """Tell whether every budget is kept."""
    return all(row["kept"] is not False for row in rows(figures))


def table(figures: Figures, sides: Sequence[str]) -> Table:
    """Draw the figures; what is over its budget is red."""
    drawn = Table(
        title="Budgets, on Telegram where nothing else is said; ratios are to the floor", title_justify="left"
    )
    drawn.add_column("what")
    drawn.add_column("at most", justify="right")
    for side in sides:
        drawn.add_column(side, justify="right")
    for budget in BUDGETS:
        values = [figures[side].get(budget.name) for side in sides]
        floor = figures.get(FLOOR, {}).get(budget.name)
        most = "" if budget.most is None else f"{budget.most:g} {budget.unit}"
        cells = [_cell(value, None if side == FLOOR else floor) for side, value in zip(sides, values, strict=True)]
        over = budget.most is not None and values[0] is not None and values[0] > budget.most
        drawn.add_row(budget.what, most or budget.unit, *cells, style="red" if over else None)
    return drawn


def _cell(value: float | None, floor: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3g}" if not floor else f"{value:.3g}  x{value / floor:.1f}"
