"""The table of what decisions do: the kind of an offer, and the function that acts on a choice."""

from collections.abc import Mapping

from gateway.services.commands import calls, groups, joining, keeping, linking, privacy, requests, scheduling, zoning
from gateway.services.commands.deciding import Decider
from gateway.services.tools import approvals

DECIDERS: Mapping[str, Decider] = {
    approvals.KIND: calls.decide,
    "stranger": requests.decide,
    "link": linking.decide,
    "joined": joining.decide,
    "group": groups.decide,
    privacy.KIND: privacy.decide,
    "keep": keeping.decide,
    "missed": scheduling.decide_missed,
    "zone": zoning.decide,
    "move": zoning.decide_move,
}
