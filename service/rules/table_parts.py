"""Parts of a table's page, as a ruleset hands them over (table_plugin.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from service.rules.svg import Svg, element

Json = Mapping[str, Any]
Seat = int
Picks = Mapping[str, str]
"""Picks of a player so far: a value for each part, `kind` among them; the query of a link."""
Prospect = Literal["good", "bad", "open"]
"""Prospect of a choice: it succeeds, it fails, or something hidden decides."""


class Place(NamedTuple):
    """A rectangle of the board, the point at which arrows begin or end, its name in words, and what is drawn there."""

    x: float
    y: float
    width: float
    height: float
    anchor: tuple[float, float]
    label: str
    svg: Svg


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board of `width` by `height` units: what lies under all places, and the places in reading order.

    The names of the places are those that notation, choices and marks use. A page may draw each place as a link.
    """

    label: str
    width: float
    height: float
    ground: Svg
    places: Mapping[str, Place]

    @property
    def svg(self) -> Svg:
        """The whole board as one `<svg>`, in which each place is a `<g data-place="C2" aria-label="..">`."""
        drawn = (
            element("g", each.svg, class_="place", data_place=name, role="img", aria_label=each.label)
            for name, each in self.places.items()
        )
        name, box = "http://www.w3.org/2000/svg", f"0 0 {self.width:g} {self.height:g}"
        return element(
            "svg", self.ground, *drawn, xmlns=name, class_="board", viewBox=box, role="group", aria_label=self.label
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Pieces of one kind that lie together; `place` is the name by which choices and marks mean them.

    `states` are of rotated, used, gap, back, fan, pile. Cards in a fan are all drawn. A pile has its number on it; the
    other pieces have one if there are several. `note` is a second, smaller line.
    """

    symbol: str
    label: str
    place: str | None = None
    count: int = 1
    note: str = ""
    states: tuple[str, ...] = ()

    @property
    def named(self) -> str:
        """The label with the note, for those who see neither: "2 red cards, rotated"."""
        return ", ".join(filter(None, (self.label, self.note)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A row of pieces beside the board: everybody's, the reader's own, or that of another seat."""

    id: str
    title: str
    owner: Literal["shared", "own", "seat"]
    pieces: tuple[Piece, ...]
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of action that is possible now: its word, the symbol of its icon, its targets, how many of them succeed.

    `good` is None where only the target tells. `answers` to offers are suggested first, `aside` if nothing else is.
    """

    id: str
    word: str
    icon: str
    targets: int
    good: int | None
    answers: bool = False
    aside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A value for a part of an action: what comes of it at best, and all that is picked once it is chosen.

    `gain` is in points of the reader, None if it cannot be known. `place` is that of the board or of a piece.
    """

    part: str
    value: str
    label: str
    place: str | None
    prospect: Prospect
    gain: int | None
    picks: Picks
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """Choices after some picks, and the action that these picks and the preselected values make.

    `action` is None while a part has to be chosen. `amount` is the part whose values are numbers for a stepper.
    """

    ask: str
    choices: tuple[Choice, ...]
    action: Any | None = None
    amount: str | None = None


class NoSuchChoice(ValueError):
    """No legal action has these picks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A change that the page draws: `at` a place or panel (`@1`), or an arrow `origin` -> `at` for a move.

    `event` is the index of the event that it stems from. `actor` is the seat whose colour it has.
    """

    kind: Literal["move", "fails", "gain", "loss", "swap", "turn", "new"]
    at: str
    origin: str | None = None
    count: int = 1
    actor: Seat | None = None
    event: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """The unit of a game's course: `Round`, `round {number}`, and (`{count} round`, `{count} rounds`).

    `counted` has a form for each plural form of the language, in the order of its catalogs.
    """

    name: str
    numbered: str
    counted: tuple[str, ...]


class Points(NamedTuple):
    """The points of a seat before and after an action; None for what the reader cannot know."""

    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreseen:
    """Foreseen effect of an action: events and points that are the same in all states that look alike to its seat.

    `reveals`: the action shows something hidden, so that it cannot be taken back. `complete`: no more events follow.
    `chips` are by seat those whose number changes, with the difference as their number.
    """

    events: tuple[Seen, ...]
    points: tuple[Points, ...]
    reveals: bool
    complete: bool
    chips: tuple[tuple[Chip, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """Preview of an action in the words of a ruleset, in the present tense; `verdict` is a word or two."""

    sentence: str
    consequence: str = ""
    prospect: Prospect = "open"
    verdict: str = ""
    button: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """An action before it is played: what is told of it, and what it leads to; `chips` as `Foreseen` has them."""

    told: Telling
    points: tuple[Points, ...]
    reveals: bool
    chips: tuple[tuple[Chip, ...], ...] = ()


class Seen(NamedTuple):
    """An event as a viewer may see it: stored name, redacted fields, the seat that caused it (None: the setup)."""

    name: str
    fields: Json
    seat: Seat | None


class Chip(NamedTuple):
    """A number on a panel: the class of its look, symbol, number, a smaller number (None: none), tooltip."""

    look: str
    symbol: str
    number: int
    small: int | None
    title: str


class Emblem(NamedTuple):
    """A small symbol on a panel, and its tooltip."""

    symbol: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Panel of a seat: points as far as the reader knows, whether more are secret, a line of words, chips, symbols."""

    points: int | None
    secret: bool = False
    line: str = ""
    chips: tuple[Chip, ...] = ()
    emblems: tuple[Emblem, ...] = ()


class Status(NamedTuple):
    """The position in a sentence of at most 70 characters, and a shorter one of at most 40 for subjects."""

    sentence: str
    short: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the log: what the events `first` to `last` (indexes) come to, who did it, and why if that is known.

    The sentence is whole, with the name of who did it. `reason` is in plain words; `code` is what the rules call it.
    """

    icon: str
    sentence: str
    seat: Seat | None
    first: int
    last: int
    reason: str = ""
    code: str = ""


class Headline(NamedTuple):
    """Headline of an event (its index) for the subject of a mail: in the present tense, without a full stop.

    The weightiest one is told, from 1 to 100; of two that weigh the same, the newer one.
    """

    event: int
    weight: int
    sentence: str


class PointsPart(NamedTuple):
    """A part of a seat's points: the class of its look, symbol, label, points."""

    look: str
    symbol: str
    label: str
    points: int


class Turning(NamedTuple):
    """The turn that decided a game, and how many points the winner won or lost on the best other seat with it."""

    turn: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Result of a game: a headline, one reason, each seat's points by where they come from, the turning point."""

    headline: str
    reason: str
    parts: tuple[tuple[PointsPart, ...], ...]
    turning: Turning | None = None


class Glimpse(NamedTuple):
    """A board in at most 24 cells, each a class of its look, in rows of `columns`."""

    columns: int
    cells: tuple[str, ...]
