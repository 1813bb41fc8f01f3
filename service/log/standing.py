"""The actions of a log that still count."""

from __future__ import annotations

from collections.abc import Sequence

from service.log.recorded import Recorded
from service.rules.shared_events import ActionTakenBack, SeatResigned, SharedEvent

Deed = list[Recorded]
"""The events of one action, which stand side by side in the log; or of the setup, or of a resignation."""


def standing(log: Sequence[Recorded]) -> list[Deed]:
    """Return what was done and not taken back, in its order, from a log that begins with the first event."""
    deeds: list[Deed] = []
    for each in log:
        if isinstance(each.event, ActionTakenBack):
            while deeds[-1][0].seq >= each.event.first:
                deeds.pop()
        elif isinstance(each.event, SeatResigned):
            deeds.append([each])
        elif isinstance(each.event, SharedEvent):
            continue
        elif deeds and each.action is None and deeds[-1][-1].at == each.at:
            deeds[-1].append(each)
        else:
            deeds.append([each])
    return deeds
