"""A game at one version: its row, its seats, and its state folded from the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from service.log.clocks import Clocks
from service.log.codec import Codec
from service.log.folding import Folded, every_player, outcome
from service.rules.bidi import isolated
from service.rules.kernel import AnyRuleset, at_revision
from service.rules.outcome import Outcome
from service.store.chain_keys import ChainKeys
from service.store.game_row import GameRow, HandedOver, SeatRow
from service.texts.games import automaton_name
from service.texts.names import display_name, unnamed_seat


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
