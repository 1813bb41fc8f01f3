"""Who has played the seats of a game that is over: who left, who took over, where the service stood in (T-26)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from service.log.folding import Folded
from service.rules.outcome import Outcome
from service.texts.catalog import say

if TYPE_CHECKING:
    # A record is told of without a database.
    from service.store.games import Position


def lines_of(position: Position, language: str) -> list[str]:
    """Return a sentence for each seat of a game that its first player has not played to the end; none while it runs."""
    if position.outcome is None:
        return []
    handed_over = [(each.seat, each.until) for each in position.former]
    return list(who_played(position.names_in(language), handed_over, position.folded, position.outcome, language))


def who_played(
    names: Sequence[str], handed_over: Iterable[tuple[int, int]], folded: Folded, outcome: Outcome, language: str
) -> Iterator[str]:
    """Yield these sentences; `handed_over` are the seats that others took over, each with the number of the event."""
    since = dict(handed_over)
    for seat, name in enumerate(names):
        if seat in since:
            yield say(language, "seat-taken-over", name=name, number=seat + 1, seq=since[seat])
        if seat in folded.stood_in - folded.computers.keys():
            yield say(language, _stood_in(seat, folded, outcome), name=name)


def _stood_in(seat: int, folded: Folded, outcome: Outcome) -> str:
    """Return the key of the sentence about a seat that the service stands in for at the end."""
    won = seat in outcome["winners"]
    if seat not in folded.resigned:
        return "seat-stood-in-won-absent" if won else "seat-stood-in-absent"
    if outcome.get("reason") == "resignation":
        return "seat-resigned"
    return "seat-stood-in-won-resigned" if won else "seat-stood-in-resigned"
