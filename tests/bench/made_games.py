"""Games for a large database: what is wanted of one, and the rows that are made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

SEATS: Final = 2
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game to be played: its number, its players, when it was opened, and until when it is played.

    A game that `ends` is over by then; another one still waits for a player.
    """

    number: int
    players: Sequence[UUID]
    opened_at: datetime
    until: datetime
    ends: bool


@dataclass(slots=True)
class Made:
    """The rows of a game by their tables; `events` are (moment, line of COPY's text form)."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    events: list[tuple[datetime, str]] = field(default_factory=list)

    def add(self, table: str, *row: Any) -> None:
        """Add a row of a table, its values in the order of COLUMNS."""
        self.rows.setdefault(table, []).append(row)


COLUMNS: Final[Mapping[str, str]] = {
    "game": "id, ruleset, status, seats, options, host, version, commitment, created_at, access, on_resignation, pace,"
    " awaited, faces, since, deadlines, head, lobby, fork_of, fork_seq",
    "seat": "game_id, seat, player_id, nonce, drawn_by, joined_at",
    "seed": "game_id, seed",
    "lobby_event": "game_id, seq, name, data, seat, at, head",
    "outbox": "dedupe_key, kind, game_id, payload, state, attempts, not_before, due_at, added_at, done_at",
    "idempotency": "principal, operation, key, request_hash, game_id, first_seq, last_seq, created_at",
    "seal": "game_id, head, at, key, signature",
}
"""The columns of each table that are written; all of them were there before this release's migrations."""
EVENT_COLUMNS: Final = "game_id, seq, name, data, seat, door, decision, action, at, head"


def in_time(made: Sequence[Made]) -> Iterator[str]:
    """Yield the lines of the events of several games in the order in which they happened."""
    for _, line in sorted((each for game in made for each in game.events), key=lambda each: each[0]):
        yield line
