"""Score ladder of a player alone against an automaton: the last games, and their rung."""

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
"""Number of latest games that count."""
RUNGS: Final = (1, 5, 10, 15, 20, 30, 40)
"""Points of all counted games needed for each rung, lowest first."""
_GAMES: Final = text("""
select p.game_id, p.ended_at from played_game p join game g on g.id = p.game_id
 where p.player_id = :player and p.ruleset = :ruleset and p.seats = 1 and g.fork_of is null
 order by p.ended_at desc, p.game_id desc limit :limit
""")


@dataclass(frozen=True, slots=True)
class Climbed:
    """A counted game; `result` is None if resigned, which scores 0 like a loss."""

    game: UUID
    ended_at: datetime
    result: SoloResult | None

    @property
    def points(self) -> int:
        """Return the game's score: the margin of a win, or 0."""
        return max(0, self.result.margin) if self.result is not None else 0


@dataclass(frozen=True, slots=True)
class ScoreLadder:
    """A player's last solo games, newest first, their total, and the rung from 0."""

    games: Sequence[Climbed]
    total: int
    rung: int

    @property
    def missing(self) -> int | None:
        """Return the points missing for the next rung; None on the highest."""
        return RUNGS[self.rung] - self.total if self.rung < len(RUNGS) else None


def score_ladder_of(db: Connection, games: Games, player: UUID, ruleset: str) -> ScoreLadder:
    """Return a player's solo ladder in one game, without daily deals and forks."""
    rows = db.execute(_GAMES, {"player": player, "ruleset": ruleset, "limit": COUNTED})
    climbed = [Climbed(row.game_id, row.ended_at, _result(db, games, row.game_id)) for row in rows]
    total = sum(each.points for each in climbed)
    return ScoreLadder(climbed, total, sum(total >= needed for needed in RUNGS))


def _result(db: Connection, games: Games, game: UUID) -> SoloResult | None:
    try:
        outcome = games.open(db, game).outcome
    except ArchiveUnreadable:
        # The log names the missing record.
        return None
    return None if outcome is None else result_of(outcome)
