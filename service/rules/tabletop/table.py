"""Page of a table for one reader: each part as the ruleset contributes it, or else its default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from service.rules.kernel import AnyRuleset, by_name
from service.rules.outcome import Outcome
from service.rules.table_parts import (
    Board,
    Choices,
    Foreseen,
    Glimpse,
    Headline,
    Kind,
    Line,
    Mark,
    Panel,
    Picks,
    Preview,
    Result,
    Seat,
    Seen,
    Status,
    Telling,
    Zone,
)
from service.rules.table_plugin import Sight
from service.rules.tabletop import default_status
from service.rules.tabletop.choices import OfferedChoices, Suggestion, suggested
from service.rules.tabletop.default_words import plain
from service.rules.tabletop.drawing import plates
from service.rules.tabletop.previews import foresee, foresee_events
from service.rules.tabletop.story import headlines, named_seats, plainly, sentences, shown_actor

Happened = tuple[Any, Seat | None]
"""An event of the ruleset, and the seat whose action caused it (None: the setup)."""


class Table:
    """Parts of the page of one position for one reader.

    The functions of the ruleset get no state but those that sight to the reader like this one (`Ruleset.imagine`).
    `seats` is the number of players; `viewer` is a seat, None for a spectator.
    """

    def __init__(
        self, ruleset: AnyRuleset, state: Any, seats: int, viewer: Seat | None, language: str, names: Sequence[str]
    ) -> None:
        self.ruleset = ruleset
        self.seats = seats
        self.sight = sight_of(ruleset, state, viewer, language, names)
        self._parts = ruleset.contributions

    @cached_property
    def symbols(self) -> Mapping[str, str]:
        """The `<symbol>` elements of all symbols and icons by id."""
        return {**default_status.SYMBOLS, **self._parts.symbols(self.sight.language)}

    def board(self, marks: Sequence[Mark] = ()) -> Board:
        """Return the board; pieces that marks move may be drawn on their way."""
        return self._board(marks) if marks else self._still

    @cached_property
    def _still(self) -> Board:
        return self._board(())

    def _board(self, marks: Sequence[Mark]) -> Board:
        if self._parts.board is not None:
            return self._parts.board(self.sight, marks)
        label = plain(self.sight.language, "board")
        return plates(label, {f"@{seat}": default_status.plate(self.sight, seat) for seat in range(self.panels)})

    def zones(self) -> Sequence[Zone]:
        """Return the pieces beside the board."""
        return () if self._parts.zones is None else self._parts.zones(self.sight)

    def places(self) -> set[str]:
        """Return the names of all places: of the board, of pieces, and of panels (`@0`)."""
        pieces = {piece.place for zone in self.zones() for piece in zone.pieces if piece.place is not None}
        return {*self.board().places, *pieces, *(f"@{seat}" for seat in range(self.panels))}

    @property
    def panels(self) -> int:
        """The number of seats, the automaton's included."""
        return self.seats + (self.seats in self.ruleset.meta.automata)

    def panel(self, seat: Seat) -> Panel:
        """Return what a seat has."""
        return default_status.panel(self._parts, self.sight, seat)

    def kinds(self) -> Sequence[Kind]:
        """Return the kinds of action that are possible for the reader now."""
        if not self.sight.mine:
            return ()
        if self._parts.kinds is not None:
            return self._parts.kinds(self.sight)
        return self._offer().kinds()

    def choices(self, picks: Picks | None = None) -> Choices:
        """Return what the reader can choose after some picks; NoSuchChoice if no legal action has them."""
        if not self.sight.mine:
            return Choices(ask="", choices=())
        if self._parts.choices is not None:
            return self._parts.choices(self.sight, picks or {})
        return self._offer().choices(picks or {})

    def suggestions(self, most: int) -> list[Suggestion]:
        """Return at most `most` actions of the reader, those that gain most first, as `suggested` chooses them."""
        return suggested(self.kinds(), self.choices, most)

    def picks(self, action: Any) -> Picks:
        """Return the picks that lead to a legal action of the reader."""
        if self._parts.picks is not None:
            return self._parts.picks(self.sight, action)
        return self._offer().picks(action)

    def preview(self, action: Any) -> Preview:
        """Return what an action of the reader leads to, as far as the reader knows; raises Illegal."""
        foreseen = foresee(self.ruleset, self.sight, self.seats, self.panels, action)
        told = self._told(action, foreseen)
        return Preview(told=told, points=foreseen.points, reveals=foreseen.reveals, chips=foreseen.chips)

    def telling(self, action: Any) -> Telling:
        """Return what is told of an action of the reader before it is played, without points; raises Illegal."""
        return self._told(action, foresee_events(self.ruleset, self.sight, self.panels, action))

    def _told(self, action: Any, foreseen: Foreseen) -> Telling:
        if self._parts.preview is not None:
            return self._parts.preview(self.sight, action, foreseen)
        return plainly(self.ruleset, self.sight, action, foreseen)

    def changes(self, happened: Sequence[Happened]) -> Sequence[Mark]:
        """Return the marks for what happened; their `event` is an index of it."""
        seen = self._seen(happened)
        return named_seats(seen) if self._parts.changes is None else self._parts.changes(self.sight, seen)

    def story(self, happened: Sequence[Happened]) -> Sequence[Line]:
        """Return the lines of the log for what happened."""
        if self._parts.story is not None:
            return self._parts.story(self.sight, self._seen(happened))
        return sentences(self.ruleset, self.sight, happened)

    def headlines(self, happened: Sequence[Happened], reader: Seat) -> Sequence[Headline]:
        """Return what the subject of a mail to a seat may tell of what happened; for the table of a spectator."""
        if self._parts.headlines is not None:
            return self._parts.headlines(self.sight, self._seen(happened), reader)
        return headlines(self.ruleset, self.sight, happened, reader)

    def status(self) -> Status:
        """Return the position in one sentence, and in a shorter one."""
        if self._parts.status is not None:
            return self._parts.status(self.sight)
        return default_status.status(self.sight, self.panels)

    def result(self, curve: Sequence[Sequence[int]] = ()) -> Result | None:
        """Return how the game has ended, None before.

        `curve` has the scores by seat after each turn, from turn 0: the turning point follows from it.
        """
        if self.sight.outcome is None:
            return None
        made = default_status.result if self._parts.result is None else self._parts.result
        return default_status.turned(made(self.sight), self.sight.outcome["winners"], curve)

    def stopped(self, outcome: Outcome) -> Result:
        """Return the result of a game that has ended otherwise than by its rules: by a resignation or a lapse."""
        return default_status.result(replace(self.sight, outcome=outcome))

    def turns(self, happened: Sequence[Happened]) -> Sequence[int]:
        """Return for each of the last events the turn in which it happened; nothing if the ruleset does not tell."""
        names = self._parts.turns
        if not names:
            return ()
        turn, found = self.sight.turn, []
        for event, _ in reversed(happened):
            found.append(turn)
            turn -= name_of(event) in names
        return found[::-1]

    def upcoming(self) -> Sequence[Seat]:
        """Return the seats that come after those that are to act now, as far as that is known."""
        return self._parts.upcoming(self.sight)

    def intended(self, action: Any) -> Sequence[Mark]:
        """Return the marks of an action that the reader has in mind for a later turn."""
        return self._parts.intended(self.sight, action)

    def glimpse(self) -> Glimpse:
        """Return the board in a few cells."""
        if self._parts.glimpse is not None:
            return self._parts.glimpse(self.sight)
        return default_status.glimpse(self.sight, self.panels)

    def _offer(self) -> OfferedChoices:
        return OfferedChoices(self.ruleset, self.sight, self.places(), self.preview)

    def _seen(self, happened: Sequence[Happened]) -> list[Seen]:
        told = ((event, seat, self.ruleset.redact(event, self.sight.viewer)) for event, seat in happened)
        return [Seen(name_of(event), fields, shown_actor(fields, seat)) for event, seat, fields in told]


def name_of(event: Any) -> str:
    """Return the stored name of an event."""
    return next(iter(by_name([type(event)])))


def sight_of(ruleset: AnyRuleset, state: Any, viewer: Seat | None, language: str, names: Sequence[str]) -> Sight:
    """Return all that a viewer may know of a state."""
    return Sight(
        view=ruleset.view(state, viewer),
        viewer=viewer,
        language=language,
        names=names,
        to_act=ruleset.to_act(state),
        turn=ruleset.turn(state),
        outcome=ruleset.outcome(state),
        imagine=lambda: ruleset.imagine(state, viewer),
        score=lambda: ruleset.standings(state, viewer),
    )
