"""The score ladder of a player alone against an automaton: the last games, and the rung that they have come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.players.solo import SoloResult, result_of
from service.store.games import Games
from service.store.proof import ArchiveUnreadable

COUNTED: Final = 10
"""So many games count, the last ones."""
RUNGS: Final = (1, 5, 10, 15, 20, 30, 40)
"""The points that all counted games together need for each rung, the lowest first."""
_GAMES: Final = text("""
select p.game_id, p.ended_at from played_game p join game g on g.id = p.game_id
 where p.player_id = :player and p.ruleset = :ruleset and p.seats = 1 and g.fork_of is null
 order by p.ended_at desc, p.game_id desc limit :limit
""")


@dataclass(frozen=True, slots=True)
class Climbed:
    """A game that counts; `result` is None where it was given up, which counts nothing, as a lost one does."""

    game: UUID
    ended_at: datetime
    result: SoloResult | None

    @property
    def points(self) -> int:
        """Return what the game counts: by how many points it was won."""
        return max(0, self.result.margin) if self.result is not None else 0


@dataclass(frozen=True, slots=True)
class ScoreLadder:
    """The last games of a player alone, the newest first, what they count together, and the rung from 0 on."""

    games: Sequence[Climbed]
    total: int
    rung: int

    @property
    def missing(self) -> int | None:
        """Return how many points the next rung needs; None on the highest one."""
        return RUNGS[self.rung] - self.total if self.rung < len(RUNGS) else None


def score_ladder_of(db: Connection, games: Games, player: UUID, ruleset: str) -> ScoreLadder:
    """Return where a player alone stands in one game: the deal of a day and what was played on from a moment apart."""
    rows = db.execute(_GAMES, {"player": player, "ruleset": ruleset, "limit": COUNTED})
    climbed = [Climbed(row.game_id, row.ended_at, _result(db, games, row.game_id)) for row in rows]
    total = sum(each.points for each in climbed)
    return ScoreLadder(climbed, total, sum(total >= needed for needed in RUNGS))


def _result(db: Connection, games: Games, game: UUID) -> SoloResult | None:
    try:
        outcome = games.open(db, game).outcome
    except ArchiveUnreadable:
        # The log says which record is missing.
        return None
    return None if outcome is None else result_of(outcome)
