"""The table of what decisions do: the kind of an offer, and the function that acts on a choice."""

from collections.abc import Mapping

from gateway.services.commands import groups, joining, linking, requests
from gateway.services.commands.deciding import Decider

DECIDERS: Mapping[str, Decider] = {
    "stranger": requests.decide,
    "link": linking.decide,
    "joined": joining.decide,
    "group": groups.decide,
}
