"""Games: their rows and seats, states folded from the log, and a cache of positions."""

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

# Games: each game's row, and its state folded from the log.


class RulesNotInstalled(Unavailable, RulesMissing):
    """The rules of a game, or the revision that it is played by, are not installed here."""

    def __init__(self, why: str) -> None:
        super().__init__("rules")
        self.why = why

    def __str__(self) -> str:
        return self.why


def _unread(row: GameRow, known: Position | None) -> LogStretch:
    """Return the stretch of a game's log after a known position."""
    after, head = (0, None) if known is None else (known.version, known.game.head)
    return LogStretch(row.id, after, row.version, head)


def _tell_nobody(_: str) -> None:
    """Do nothing: no process waits."""


class Games:
    """Games of one database under the rulesets known here; shared by the threads of a process."""

    def __init__(
        self,
        engine: Engine,
        rulesets: Mapping[str, AnyRuleset],
        tell: Callable[[str], None] = _tell_nobody,
        replica: Replica | None = None,
    ) -> None:
        """Call `tell` after each commit that a request or a worker may wait for (`wake`); `tell` must not raise."""
        self.engine, self.replica = engine, replica
        self.rulesets = rulesets
        self._tell = tell
        self._codecs = {name: Codec(ruleset) for name, ruleset in rulesets.items()}
        self._states = StateCache()
        self._chain_keys = ChainKeys()
        self._timelines: LRU[int, tuple[str | None, Timeline]] = LRU(TIMELINES)

    def open(self, db: Connection, game_id: UUID, opened: Opened | None = None) -> Position:
        """Return the current position of a game; UnknownGame. Do not call after an append in the same transaction.

        `opened` is a row that was just read, and saves the read here.
        """
        opened = opened or read_game_row(db, game_id)
        known = self._states.get(game_id)
        if known is not None and known.version > opened.game.version:
            # Another thread has cached a later commit than this row. A row read now is at least as new as the cache.
            opened = read_game_row(db, game_id)
        return self._folded(db, opened)

    def open_on(self, db: Connection, known: Position) -> Position:
        """Return the current position, given a position that is likely to be stale; UnknownGame.

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
        """Return current positions, by two statements for all games whose logs continue from the cached positions.

        Leave out unknown games, those whose archived log cannot be read, and those whose rules are not installed.
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
        """Fold a game's rows after a known position; None if the rows do not lead to the version of the game's row."""
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
        """Return the position of a row just read, if this process has its state at that version cached."""
        known = self._states.get(opened.game.id)
        if known is None or (known.version, known.game.head) != (opened.game.version, opened.game.head):
            return None
        return self._position(opened, known.folded)

    def remembered(self, game_id: UUID) -> Position | None:
        """Return the cached position, which may be stale."""
        return self._states.get(game_id)

    def unfolded(self, db: Connection, game_id: UUID) -> Position:
        """Return the game with no events folded, for checks that do not trust the log; UnknownGame."""
        return self._position(read_game_row(db, game_id), NOTHING)

    def lock(self, db: Connection, game_id: UUID) -> Position:
        """Lock the game for this transaction and return its current position; UnknownGame."""
        opened = game_row.lock_game_row(db, game_id)
        # READ COMMITTED: a separate statement reads the tail, with a snapshot taken after the lock is granted.
        return self._folded(db, opened)

    def at_version(self, db: Connection, position: Position, version: int) -> Position:
        """Return the position at an earlier version."""
        return position.at(version, self._fold(db, replace(position.game, version=version), 0, NOTHING))

    def timeline(self, db: Connection, position: Position) -> Timeline:
        """Return the steps of a game's whole log up to the position's version; the game has begun."""
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
            # A database that was set back lacks events that this process has seen committed.
            self._states.forget(row.id)
            folded = self._fold(db, row, 0, NOTHING) if row.version else NOTHING
        position = self._position(opened, folded)
        if row.version:
            self._states.put(position)
        return position

    def _further(self, db: Connection, row: GameRow, known: Position) -> Folded | None:
        """Fold the events after a known position; None if the log is another one, or needs folding from its start."""
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
        """Return a ruleset at a revision, None for the latest; RulesNotInstalled."""
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
        """Announce a commit; with a position, also the game and its new version."""
        self._tell("" if position is None else f"{position.game.id} {position.version}")

    def notify_accounts(self, *players: UUID) -> None:
        """Announce a commit on the account streams of players."""
        for player in players:
            self._tell(f"{player} {time.time_ns()}")

    def committed(self, position: Position) -> None:
        """Cache a committed position."""
        self._states.put(position)


# Positions: a game at one version.


@dataclass(frozen=True, slots=True)
class Position:
    """Game at one version: its row, its seats, and `folded`, the state that so many events add up to.

    The state holds hidden information, so the repr leaves it out.
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
    """Number of earlier games with the same name in mails (mail/subject_line.py); filled in for mails only."""

    def names_in(self, language: str) -> tuple[str, ...]:
        """Return the players' names as sentences of the language show them, in the order of the seats."""
        if self.game.origin == "import":
            return tuple(unnamed_seat(seat, language) for seat in range(self.game.seats))
        return tuple(isolated(display_name(seat.name, language)) for seat in self.seats)

    def automaton_in(self, language: str) -> str | None:
        """Return the name of the automaton in the seat after the players', if the service plays one."""
        return automaton_name(self.ruleset.meta, self.game.seats, language)

    def everybody_in(self, language: str) -> tuple[str, ...]:
        """Return the names of the players, then that of the automaton."""
        last = self.automaton_in(language)
        return (*self.names_in(language), *(() if last is None else (last,)))

    def seat_of(self, player: UUID) -> int | None:
        number = player.int
        for seat in self.seats:
            # Comparing UUIDs costs many times as much as comparing their numbers.
            if seat.player_id.int == number:
                return seat.seat
        return None

    @property
    def stamp(self) -> str:
        """First part of STAMP, as of the read of the game's row and its people."""
        return " ".join(("t" if self.game.watched else "f", *(seat.versions for seat in self.seats)))

    @property
    def head(self) -> bytes | None:
        """Head of the game's hash chain; None before the chain begins and in games without a chain."""
        return None if self.game.head is None else bytes.fromhex(self.game.head)

    @property
    def watched(self) -> bool:
        """Return whether a webhook may listen to this game."""
        return self.game.watched or any(seat.watching for seat in self.seats)

    @property
    def state(self) -> Any:
        """State of the ruleset; None before the game starts."""
        return self.folded.state

    @property
    def decision(self) -> int:
        """Number of the current decision; no other decision of the game ever has the same number."""
        return self.folded.passed + self.ruleset.decision(self.folded.state)

    @property
    def resigned(self) -> tuple[int, ...]:
        """Seats whose players have resigned, in that order."""
        return self.folded.resigned

    @property
    def stood_in(self) -> frozenset[int]:
        """Seats that the service plays: computer players', resigned, absent, or lapsed."""
        return self.folded.stood_in

    @property
    def clocks(self) -> Clocks | None:
        """Clocks of the seats; None in a game without a clock."""
        return self.folded.clocks

    @property
    def to_act(self) -> frozenset[int]:
        """Seats that have to act, including the automaton's and those that the service stands in for."""
        return self.ruleset.to_act(self.folded.state) if self.game.status == "running" else frozenset()

    @property
    def awaited(self) -> frozenset[int]:
        """Seats whose players have to act."""
        return self.to_act & every_player(self.game.seats) - self.folded.stood_in

    @property
    def unattended(self) -> frozenset[int]:
        """Seats of a running game that another person can take over: resigned or absent."""
        if self.game.status != "running":
            return frozenset()
        resigned = frozenset(self.resigned)
        return resigned if self.clocks is None else resigned | self.clocks.absent

    @property
    def outcome(self) -> Outcome | None:
        """Outcome of the game, also by a resignation; None while the game runs."""
        return outcome(self.ruleset, self.game.seats, self.folded)

    def at(self, version: int, folded: Folded, head: bytes | None = None, last_at: datetime | None = None) -> Position:
        """Return the position at another version, with the state at that version.

        `head` is the head there, if known. `last_at` is the moment of the last event there, if it differs from here.
        """
        # A fork begins by the rules of the game it continues, whose revision may be older than the latest.
        ruleset = at_revision(self.ruleset, folded.revision or self.ruleset.meta.revision)
        ended = outcome(ruleset, self.game.seats, folded) is not None
        known = self.game.head if version == self.version else None if head is None else head.hex()
        status, last_at = "finished" if ended else "running", last_at or self.game.last_at
        row = replace(self.game, status=status, version=version, head=known, last_at=last_at)
        return Position(row, ruleset, version, folded, self.seats, self.codec, self.chain_keys, self.former)


# Positions cached by this process.


class StateCache:
    """LRU cache of the newest committed position seen of each game; thread-safe.

    Positions are immutable and returned without a copy. Put in committed positions only. The state at a version never
    changes; the rest of the game's row, and its people, may have changed since.
    """

    def __init__(self, capacity: int = 1024) -> None:
        # Comparing UUIDs costs many times as much as comparing their numbers.
        self._positions: LRU[int, Position] = LRU(capacity)

    def get(self, game: UUID) -> Position | None:
        return self._positions.get(game.int)

    def put(self, position: Position) -> None:
        """Cache the position, unless a newer version is cached."""
        game = position.game.id.int
        known = self._positions.get(game)
        # In a race an older position may win. Then the next read folds the tail once more.
        if known is None or known.version <= position.version:
            self._positions.put(game, position)

    def forget(self, game: UUID) -> None:
        """Drop the game's position."""
        self._positions.forget(game.int)


# Visibility of games.

_INVITED = text(
    "select true from invitation where game_id = :game and player_id = :player"
    " and revoked_at is null and expires_at > clock_timestamp()"
)


def require_known(db: Connection, position: Position, player: UUID) -> None:
    """Raise UnknownGame unless the player may know of the game.

    Known are the player's own games, public games while they are open or if they allow spectators, and open games
    that the player was invited to. An open game is unknown if a seated player and this player are blocked, either way.
    """
    if position.seat_of(player) is not None:
        return
    if not is_public(position) and not _is_invited(db, position, player):
        raise UnknownGame(position.game.id)
    if position.game.status == "open" and is_apart(db, player, [seat.player_id for seat in position.seats]):
        raise UnknownGame(position.game.id)


def is_public(position: Position) -> bool:
    """Return whether anybody with the address may look at the game; nothing hidden is shown."""
    status, terms = position.game.status, position.game.terms
    return terms.access == "public" and (status == "open" or (terms.spectators and status != "cancelled"))


def _is_invited(db: Connection, position: Position, player: UUID) -> bool:
    if position.game.status != "open":
        return False
    return db.execute(_INVITED, {"game": position.game.id, "player": player}).first() is not None
