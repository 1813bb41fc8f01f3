"""What the page of a running game says and offers about seats whose players are not there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from service.handlers.refusals import CannotTakeOver
from service.handlers.substitute import may_invite, require_stranger
from service.players.levels import Level, levels_for
from service.views.substitutes import FormerPlayer, former_players, requests
from service.web.session import Visitor
from service.web.sitting import Sitting


@dataclass(frozen=True, slots=True)
class Vacancies:
    """The seats that can be taken over, each with its player's name, and what the viewer can do about them.

    `requests` are the open requests that the viewer may know, as `service.views.substitutes.requests` has them.
    """

    seats: Sequence[tuple[int, str]]
    former: Sequence[FormerPlayer]
    requests: Sequence[dict[str, Any]]
    inviting: bool
    asking: bool
    answering: bool
    levels: Sequence[Level] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to say."""
        return bool(self.seats or self.former)


def vacancies(sitting: Sitting, visitor: Visitor | None) -> Vacancies:
    """Return the vacancies of a game for its viewer; a game that nobody has left costs no statement."""
    position = sitting.position
    names = sitting.names
    seats = [(seat, names[seat]) for seat in sorted(position.unattended)]
    former = former_players(sitting.db, position, sitting.language)
    if not seats or visitor is None:
        return Vacancies(seats, former, (), inviting=False, asking=False, answering=False)
    found = requests(sitting.db, position, visitor.browser.player)
    inviting = may_invite(position, visitor.id)
    return Vacancies(
        seats,
        former,
        found,
        inviting=inviting,
        asking=sitting.seat is None and not found and _is_stranger(sitting, visitor),
        answering=sitting.seat is not None and sitting.seat not in position.unattended,
        levels=levels_for(position.ruleset, position.game.seats) if inviting else (),
    )


def _is_stranger(sitting: Sitting, visitor: Visitor) -> bool:
    try:
        require_stranger(sitting.db, sitting.position, visitor.id, min(sitting.position.unattended))
    except CannotTakeOver:
        return False
    return True
