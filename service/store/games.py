"""The shelf of games: every game's row, its seats, and its state folded from the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine

from service.rules.isolation import isolated
from service.rules.kernel import AnyRuleset, Json, at_revision
from service.store import events
from service.store.chain_keys import ChainKeys
from service.store.codec import Codec
from service.store.folding import NOTHING, Folded, LooksBack, fold_log, outcome
from service.store.lately import Lately
from service.store.names import automaton_name, seated, shown
from service.store.opened import LOCK, OPEN, GameRow, Opened, SeatRow, read
from service.store.reel import REELS, Reel, unroll
from service.store.state_cache import StateCache


@dataclass(frozen=True, slots=True)
class Position:
    """A game at one version: `folded` is what that many events add up to.

    It holds all that is hidden, so it is left out of the repr.
    """

    game: GameRow
    ruleset: AnyRuleset = field(repr=False)
    version: int
    folded: Folded = field(repr=False)
    seats: tuple[SeatRow, ...]
    codec: Codec = field(repr=False, compare=False)
    chain_keys: ChainKeys = field(repr=False, compare=False)

    def names_in(self, language: str) -> tuple[str, ...]:
        """Return the names of the players as they stand in sentences of the language, in the order of their seats."""
        if self.game.origin == "import":
            return tuple(seated(seat, language) for seat in range(self.game.seats))
        return tuple(isolated(shown(seat.name, language)) for seat in self.seats)

    def automaton_in(self, language: str) -> str | None:
        """Return the name of the opponent in the seat after the players', if the service plays one."""
        return automaton_name(self.ruleset.meta, self.game.seats, language)

    def everybody_in(self, language: str) -> tuple[str, ...]:
        """Return the names of the players, and of the opponent after them."""
        last = self.automaton_in(language)
        return (*self.names_in(language), *(() if last is None else (last,)))

    def seat_of(self, player: UUID) -> int | None:
        """Return the seat of the player, or None."""
        number = player.int
        for seat in self.seats:
            # A UUID is compared at many times the cost of its number.
            if seat.player_id.int == number:
                return seat.seat
        return None

    @property
    def stamp(self) -> str:
        """What STAMP begins with, as it was when the game's row and its people were read."""
        return " ".join(("t" if self.game.watched else "f", *(seat.versions for seat in self.seats)))

    @property
    def watched(self) -> bool:
        """Whether webhooks may have to be told of what happens here."""
        return self.game.watched or any(seat.watching for seat in self.seats)

    @property
    def state(self) -> Any:
        """The ruleset's state, None while the game has not started."""
        return self.folded.state

    @property
    def decision(self) -> int:
        """The number of the decision at which the game is, which no other decision of the game ever had."""
        return self.folded.passed + self.ruleset.decision(self.folded.state)

    @property
    def resigned(self) -> tuple[int, ...]:
        """The seats whose players have given up, in that order."""
        return self.folded.resigned

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that have to act, the automaton's and those of players who have resigned among them."""
        return self.ruleset.to_act(self.folded.state) if self.game.status == "running" else frozenset()

    @property
    def awaited(self) -> frozenset[int]:
        """The seats whose players have to act."""
        return self.to_act & frozenset(range(self.game.seats)) - frozenset(self.folded.resigned)

    @property
    def outcome(self) -> Json | None:
        """None while the game runs; then at least `winners` (seats), and `scores` (by seat; None if one resigned)."""
        return outcome(self.ruleset, self.game.seats, self.folded)

    def at(self, version: int, folded: Folded, head: bytes | None = None) -> Position:
        """Return the game as it is at another version, with what its events add up to there, and its head if known."""
        # A game that goes on from another one begins by the rules of that one, which need not be today's.
        ruleset = at_revision(self.ruleset, folded.revision or self.ruleset.meta.revision)
        ended = outcome(ruleset, self.game.seats, folded) is not None
        known = self.game.head if version == self.version else None if head is None else head.hex()
        row = replace(self.game, status="finished" if ended else "running", version=version, head=known)
        return Position(row, ruleset, version, folded, self.seats, self.codec, self.chain_keys)


def _nobody(_: str) -> None:
    """Wake nobody."""


class Games:
    """All games of one database under the rulesets known here; shared by the threads of a process."""

    def __init__(
        self, engine: Engine, rulesets: Mapping[str, AnyRuleset], tell: Callable[[str], None] = _nobody
    ) -> None:
        """`tell` is called after each commit that somebody may wait for, as `wake` says; it must not raise."""
        self.engine = engine
        self.rulesets = rulesets
        self._tell = tell
        self._codecs = {name: Codec(ruleset) for name, ruleset in rulesets.items()}
        self._states = StateCache()
        self._chain_keys = ChainKeys()
        self._reels: Lately[int, Reel] = Lately(REELS)

    def open(self, db: Connection, game_id: UUID, opened: Opened | None = None) -> Position:
        """Return the game as it is now; UnknownGame. Not to be called after an append in the same transaction.

        `opened` is what has just been read of it, which saves reading it again.
        """
        opened = opened or read(db, OPEN, game_id)
        known = self._states.get(game_id)
        if known is not None and known.version > opened.game.version:
            # Another thread has read a commit later than our row; a row read now is not older than that.
            opened = read(db, OPEN, game_id)
        return self._folded(db, opened)

    def at_hand(self, opened: Opened) -> Position | None:
        """Return the game as it was just read, if this process remembers its state at that version."""
        known = self._states.get(opened.game.id)
        if known is None or known.version != opened.game.version:
            return None
        return self._position(opened, known.folded)

    def remembered(self, game_id: UUID) -> Position | None:
        """Return the newest position of the game that this process has seen, of which nothing need be so any more."""
        return self._states.get(game_id)

    def unfolded(self, db: Connection, game_id: UUID) -> Position:
        """Return the game with none of its events read, for those who do not trust them; UnknownGame."""
        return self._position(read(db, OPEN, game_id), NOTHING)

    def lock(self, db: Connection, game_id: UUID) -> Position:
        """Lock the game for this transaction and return it as it is; UnknownGame."""
        opened = read(db, LOCK, game_id)
        if opened.game.status == "open" or len(opened.seats) < opened.game.seats:
            # After waiting for the lock PostgreSQL looks again at the locked row, but not at the seats beside it.
            opened = read(db, OPEN, game_id)
        # READ COMMITTED: the tail is read by a statement of its own, whose snapshot is taken after the lock is granted.
        return self._folded(db, opened)

    def at_version(self, db: Connection, position: Position, version: int) -> Position:
        """Return the game as it was at an earlier version."""
        facts = events.facts(db, position.codec, position.game.id, 0, version)
        return position.at(version, fold_log(position.ruleset, facts))

    def reel(self, db: Connection, position: Position) -> Reel:
        """Return the whole log of a game that has begun, up to the position's version, as its steps."""
        known = self._reels.get(position.game.id.int)
        if known is not None and len(known.folds) == position.version:
            return known
        log = events.read(db, position.codec, position.game.id, 0, position.version)
        made = unroll(position.ruleset, log)
        self._reels.put(position.game.id.int, made)
        return made

    def _folded(self, db: Connection, opened: Opened) -> Position:
        row, known = opened.game, self._states.get(opened.game.id)
        if known is not None and known.version > row.version:
            # Only a database that was set back can be behind what we have seen committed.
            self._states.forget(row.id)
            known = None
        version, folded = (0, NOTHING) if known is None else (known.version, known.folded)
        if version < row.version:
            try:
                folded = self._fold(db, row, version, folded)
            except LooksBack:
                folded = self._fold(db, row, 0, NOTHING)
        position = self._position(opened, folded)
        if version < row.version:
            self._states.put(position)
        return position

    def _fold(self, db: Connection, row: GameRow, version: int, folded: Folded) -> Folded:
        facts = events.facts(db, self._codecs[row.ruleset], row.id, version, row.version)
        return fold_log(self.rulesets[row.ruleset], facts, folded)

    def _position(self, opened: Opened, folded: Folded) -> Position:
        row = opened.game
        latest, codec = self.rulesets[row.ruleset], self._codecs[row.ruleset]
        ruleset = at_revision(latest, folded.revision) if folded.revision else latest
        return Position(row, ruleset, row.version, folded, opened.seats, codec, self._chain_keys)

    def wake(self, position: Position | None = None) -> None:
        """Say that something was committed, and where it moved a game on, which one and to which version."""
        self._tell("" if position is None else f"{position.game.id} {position.version}")

    def committed(self, position: Position) -> None:
        """Remember a position that is committed."""
        self._states.put(position)
