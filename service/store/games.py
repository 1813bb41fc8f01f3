"""Games: their rows, seats, and states folded from the log, with a cache of recent positions."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec.structs import replace
from sqlalchemy import Connection, Engine, text

from service.log.clocks import Clocks
from service.log.codec import Codec, UnknownEvent
from service.log.folding import (
    NOTHING,
    TIMELINES,
    Folded,
    LooksBack,
    Timeline,
    every_player,
    fold_clocked,
    fold_log,
    outcome,
    unroll,
)
from service.record.reading import RulesMissing
from service.rules.bidi import isolated
from service.rules.kernel import AnyRuleset, at_revision
from service.rules.outcome import Outcome
from service.shared.lru import LRU
from service.shared.refusal import Unavailable
from service.store import events, game_row
from service.store.events import ChainKeys, LogStretch, read_stretches, recorded
from service.store.game_row import GameRow, HandedOver, Opened, SeatRow, UnknownGame, read_game_row, read_game_rows
from service.store.people import is_apart
from service.store.proof import ArchiveUnreadable
from service.store.replica import Replica
from service.texts.games import automaton_name
from service.texts.names import display_name, unnamed_seat

# The shelf of games: every game's row, its seats, and its state folded from the log.


class RulesNotInstalled(Unavailable, RulesMissing):
    """The rules of a game, or the revision that it is played by, are not installed here."""

    def __init__(self, why: str) -> None:
        super().__init__("rules")
        self.why = why

    def __str__(self) -> str:
        return self.why


def _unread(row: GameRow, known: Position | None) -> LogStretch:
    """Return the stretch of a game's log that is not in a known position."""
    after, head = (0, None) if known is None else (known.version, known.game.head)
    return LogStretch(row.id, after, row.version, head)


def _tell_nobody(_: str) -> None:
    """Do nothing: no process waits."""


class Games:
    """All games of one database under the rulesets known here; shared by the threads of a process."""

    def __init__(
        self,
        engine: Engine,
        rulesets: Mapping[str, AnyRuleset],
        tell: Callable[[str], None] = _tell_nobody,
        replica: Replica | None = None,
    ) -> None:
        """`tell` is called after each commit that a request or a worker may wait for (`wake`); it must not raise."""
        self.engine, self.replica = engine, replica
        self.rulesets = rulesets
        self._tell = tell
        self._codecs = {name: Codec(ruleset) for name, ruleset in rulesets.items()}
        self._states = StateCache()
        self._chain_keys = ChainKeys()
        self._timelines: LRU[int, tuple[str | None, Timeline]] = LRU(TIMELINES)

    def open(self, db: Connection, game_id: UUID, opened: Opened | None = None) -> Position:
        """Return the game as it is now; UnknownGame. Not to be called after an append in the same transaction.

        `opened` is what has just been read of it, which saves reading it again.
        """
        opened = opened or read_game_row(db, game_id)
        known = self._states.get(game_id)
        if known is not None and known.version > opened.game.version:
            # Another thread has read a commit later than our row; a row read now is not older than that.
            opened = read_game_row(db, game_id)
        return self._folded(db, opened)

    def open_on(self, db: Connection, known: Position) -> Position:
        """Return the game as it is now, given a position from which it is likely to have moved on; UnknownGame.

        It takes one statement, where `open` takes two.
        """
        with suppress(LooksBack, UnknownEvent):
            opened, since = events.read_on(db, known.codec, known.game.id, known.version, known.head)
            if since:
                folded = fold_clocked(self._installed(known.game.ruleset), since, known.folded)
                position = self._position(opened, folded)
                self._states.put(position)
                return position
        return self.open(db, known.game.id)

    def open_all(self, db: Connection, games: Sequence[UUID]) -> dict[UUID, Position]:
        """Return games as they are now, by two statements for all whose logs go on from what is known of them.

        Those are left out that do not exist, whose archived log cannot be read, or whose rules are not installed here.
        """
        opened = read_game_rows(db, games)
        known = {each.game.id: self._states.get(each.game.id) for each in opened}
        stretches = [_unread(each.game, known[each.game.id]) for each in opened]
        logs = read_stretches(db, [each for each in stretches if each.after < each.until])
        found = {}
        for each in opened:
            game = each.game.id
            with suppress(ArchiveUnreadable, RulesNotInstalled):
                found[game] = self._further_on(each, known[game], logs.get(game, ())) or self.open(db, game, each)
        return found

    def _further_on(self, opened: Opened, known: Position | None, rows: Sequence[Any]) -> Position | None:
        """Return a game by the rows of its log after a known position; None if these do not lead to where it is."""
        row, folded = opened.game, NOTHING if known is None else known.folded
        if not rows or len(rows) != row.version - (0 if known is None else known.version):
            return None
        try:
            ruleset = self._installed(row.ruleset)
            since = recorded(self._codecs[row.ruleset], rows)
            position = self._position(opened, fold_clocked(ruleset, since, folded))
        except (LooksBack, UnknownEvent):
            return None
        self._states.put(position)
        return position

    def at_hand(self, opened: Opened) -> Position | None:
        """Return the game as it was just read, if this process remembers its state at that version."""
        known = self._states.get(opened.game.id)
        if known is None or (known.version, known.game.head) != (opened.game.version, opened.game.head):
            return None
        return self._position(opened, known.folded)

    def remembered(self, game_id: UUID) -> Position | None:
        """Return the newest position of the game that this process has seen, of which nothing need be so any more."""
        return self._states.get(game_id)

    def unfolded(self, db: Connection, game_id: UUID) -> Position:
        """Return the game with none of its events read, for checks that do not trust them; UnknownGame."""
        return self._position(read_game_row(db, game_id), NOTHING)

    def lock(self, db: Connection, game_id: UUID) -> Position:
        """Lock the game for this transaction and return it as it is; UnknownGame."""
        opened = game_row.lock_game_row(db, game_id)
        # READ COMMITTED: the tail is read by a statement of its own, whose snapshot is taken after the lock is granted.
        return self._folded(db, opened)

    def at_version(self, db: Connection, position: Position, version: int) -> Position:
        """Return the game as it was at an earlier version."""
        return position.at(version, self._fold(db, replace(position.game, version=version), 0, NOTHING))

    def timeline(self, db: Connection, position: Position) -> Timeline:
        """Return the whole log of a game that has begun, up to the position's version, as its steps."""
        known_head, known = self._timelines.get(position.game.id.int) or (None, None)
        if known is not None and (known_head, len(known.folds)) == (position.game.head, position.version):
            return known
        log = events.read(db, position.codec, position.game.id, 0, position.version)
        made = unroll(position.ruleset, log)
        self._timelines.put(position.game.id.int, (position.game.head, made))
        return made

    def _folded(self, db: Connection, opened: Opened) -> Position:
        row, known = opened.game, self._states.get(opened.game.id)
        if known is not None and (known.version, known.game.head) == (row.version, row.head):
            return self._position(opened, known.folded)
        folded = None if known is None or known.version >= row.version else self._further(db, row, known)
        if folded is None:
            # Only a database that was set back has not what we have seen committed.
            self._states.forget(row.id)
            folded = self._fold(db, row, 0, NOTHING) if row.version else NOTHING
        position = self._position(opened, folded)
        if row.version:
            self._states.put(position)
        return position

    def _further(self, db: Connection, row: GameRow, known: Position) -> Folded | None:
        """Fold what has come since a known position; None if that is none of the log's, or the whole is needed."""
        try:
            return self._fold(db, row, known.version, known.folded, known.head)
        except (LooksBack, events.AnotherLog):
            return None

    def _fold(self, db: Connection, row: GameRow, version: int, folded: Folded, head: bytes | None = None) -> Folded:
        ruleset, codec = self._installed(row.ruleset), self._codecs[row.ruleset]
        try:
            if row.terms.pace is not None:
                return fold_clocked(ruleset, events.read(db, codec, row.id, version, row.version, head), folded)
            return fold_log(ruleset, events.facts(db, codec, row.id, version, row.version, head), folded)
        except UnknownEvent as unknown:
            raise RulesNotInstalled(f"the rules of {row.ruleset} here know no event {unknown.args[0]}") from None

    def _installed(self, name: str, revision: int | None = None) -> AnyRuleset:
        """Return a ruleset as it was at a revision, None for the latest; RulesNotInstalled."""
        if name not in self.rulesets:
            raise RulesNotInstalled(f"the rules of {name} are not installed here")
        latest = self.rulesets[name]
        try:
            return latest if revision is None else at_revision(latest, revision)
        except LookupError:
            raise RulesNotInstalled(f"revision {revision} of the rules of {name} is not installed here") from None

    def _position(self, opened: Opened, folded: Folded) -> Position:
        row = opened.game
        ruleset, codec = self._installed(row.ruleset, folded.revision or None), self._codecs[row.ruleset]
        return Position(row, ruleset, row.version, folded, opened.seats, codec, self._chain_keys, opened.former)

    def wake(self, position: Position | None = None) -> None:
        """Say that something was committed, and where it moved a game on, which one and to which version."""
        self._tell("" if position is None else f"{position.game.id} {position.version}")

    def notify_accounts(self, *players: UUID) -> None:
        """Say that something was committed that players have to be told of on the streams of their accounts."""
        for player in players:
            self._tell(f"{player} {time.time_ns()}")

    def committed(self, position: Position) -> None:
        """Remember a position that is committed."""
        self._states.put(position)


# A game at one version: its row, its seats, and its state folded from the log.


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
    former: tuple[HandedOver, ...] = ()
    namesakes: int = 0
    """How many earlier games go by the same name in mails (mail/namesakes.py); only mails ask."""

    def names_in(self, language: str) -> tuple[str, ...]:
        """Return the names of the players as they stand in sentences of the language, in the order of their seats."""
        if self.game.origin == "import":
            return tuple(unnamed_seat(seat, language) for seat in range(self.game.seats))
        return tuple(isolated(display_name(seat.name, language)) for seat in self.seats)

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
    def head(self) -> bytes | None:
        """The head of the game's hash chain, None before it begins and in games without a chain."""
        return None if self.game.head is None else bytes.fromhex(self.game.head)

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
    def stood_in(self) -> frozenset[int]:
        """The seats that the service plays: computer players', resigned, absent, or with a wait that has lapsed."""
        return self.folded.stood_in

    @property
    def clocks(self) -> Clocks | None:
        """The clocks of the seats, None in a game without a clock."""
        return self.folded.clocks

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that have to act, the automaton's and those that the service stands in for among them."""
        return self.ruleset.to_act(self.folded.state) if self.game.status == "running" else frozenset()

    @property
    def awaited(self) -> frozenset[int]:
        """The seats whose players have to act."""
        return self.to_act & every_player(self.game.seats) - self.folded.stood_in

    @property
    def unattended(self) -> frozenset[int]:
        """The seats of a running game that another person can take over: their players have resigned or are absent."""
        if self.game.status != "running":
            return frozenset()
        resigned = frozenset(self.resigned)
        return resigned if self.clocks is None else resigned | self.clocks.absent

    @property
    def outcome(self) -> Outcome | None:
        """None while the game runs; then how it has ended, be it by a resignation."""
        return outcome(self.ruleset, self.game.seats, self.folded)

    def at(self, version: int, folded: Folded, head: bytes | None = None, last_at: datetime | None = None) -> Position:
        """Return the game as it is at another version, with what its events add up to there.

        `head` is its head if that is known, `last_at` the moment of its last event if that is another than here.
        """
        # A game that goes on from another one begins by the rules of that one, which need not be today's.
        ruleset = at_revision(self.ruleset, folded.revision or self.ruleset.meta.revision)
        ended = outcome(ruleset, self.game.seats, folded) is not None
        known = self.game.head if version == self.version else None if head is None else head.hex()
        status, last_at = "finished" if ended else "running", last_at or self.game.last_at
        row = replace(self.game, status=status, version=version, head=known, last_at=last_at)
        return Position(row, ruleset, version, folded, self.seats, self.codec, self.chain_keys, self.former)


# The positions of the games that this process has lately touched.


class StateCache:
    """The newest committed position seen of each game, the least recently used forgotten first; safe between threads.

    Positions are immutable, so they are handed out as they are. Only committed ones may be put in. What the log adds up
    to at a version stays so for ever; whatever else is in the game's row or about its people may have changed since.
    """

    def __init__(self, capacity: int = 1024) -> None:
        # A UUID is compared at many times the cost of its number.
        self._positions: LRU[int, Position] = LRU(capacity)

    def get(self, game: UUID) -> Position | None:
        """Return the position, or None."""
        return self._positions.get(game.int)

    def put(self, position: Position) -> None:
        """Keep the position, unless one of a newer version is already there."""
        game = position.game.id.int
        known = self._positions.get(game)
        # Should a newer one come in between, the older one only has its game read on from there once more.
        if known is None or known.version <= position.version:
            self._positions.put(game, position)

    def forget(self, game: UUID) -> None:
        """Drop what is known of the game."""
        self._positions.forget(game.int)


# Who may know that a game exists.

_INVITED = text(
    "select true from invitation where game_id = :game and player_id = :player"
    " and revoked_at is null and expires_at > clock_timestamp()"
)


def require_known(db: Connection, position: Position, player: UUID) -> None:
    """Refuse as if there were no such game, unless the player may know of it; UnknownGame.

    Known are the games that one sits in, public ones while they are open or if they allow spectators, and open ones
    that one was invited to; open ones only while nobody sits there whom one blocks, or is blocked by.
    """
    if position.seat_of(player) is not None:
        return
    if not is_public(position) and not _is_invited(db, position, player):
        raise UnknownGame(position.game.id)
    if position.game.status == "open" and is_apart(db, player, [seat.player_id for seat in position.seats]):
        raise UnknownGame(position.game.id)


def is_public(position: Position) -> bool:
    """Return whether anybody may look at the game who has its address, nothing hidden being shown."""
    status, terms = position.game.status, position.game.terms
    return terms.access == "public" and (status == "open" or (terms.spectators and status != "cancelled"))


def _is_invited(db: Connection, position: Position, player: UUID) -> bool:
    if position.game.status != "open":
        return False
    return db.execute(_INVITED, {"game": position.game.id, "player": player}).first() is not None
