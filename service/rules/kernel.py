"""All that a game may import beside chance.py: refusals, the ruleset record, the fold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from service.rules.guide import Guide
from service.rules.measure import Measure

Seat = int
Json = Mapping[str, Any]

State = TypeVar("State")
Event = TypeVar("Event")
Action = TypeVar("Action")
Thing = TypeVar("Thing")

FEWEST_ARRANGEMENTS = 8


class Illegal(Exception):
    """A refusal: a kebab-case code, the rule it rests on, and facts the asking seat may know."""

    def __init__(self, code: str, rule: str | None = None, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.rule = rule
        self.facts = facts


class Unreadable(ValueError):
    """A text that is no action in the game's notation; the message is the part not understood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One choice of the host: its name, type, default, and the texts that explain it by language."""

    name: str
    type: Literal["boolean", "seat"]
    default: bool | int | None
    describe: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """What the lobby needs to know of a game without loading its rules; `seats` are the counts allowed."""

    name: str
    revision: int
    title: str
    summary: Mapping[str, str]
    seats: tuple[int, ...]
    languages: tuple[str, ...]
    options: tuple[Option, ...] = ()
    automata: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    """Who plays the seat after the players', by the number of players: its name, by language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameForked:
    """The game goes on from event `seq` of a finished one, and begins with its events; `head` is its chain's there."""

    game: str
    seq: int
    head: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted:
    """The first event of every game: which rules it is played by, and the commitment to its chance.

    `commitment` is the SHA-256 of the secret seed (chance.py), `nonces` a value per seat, drawn by its `client` or the
    `server`, `lobby` the head of the chain before, in hex; () and "" where not noted. `origin` is for the header.
    """

    ruleset: str
    revision: int
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    commitment: str
    nonces: tuple[str, ...]
    drawn_by: tuple[str, ...] = ()
    lobby: str = ""
    origin: GameForked | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatResigned:
    """A player has given the game up; `ends` tells whether the game is over with it."""

    seat: Seat
    ends: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SomethingSaid:
    """A player has said something to the table; what it was is not in the log."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionTakenBack:
    """A player has taken an action back: its events, numbers `first` to `last` of the log, count no longer."""

    seat: Seat
    first: int
    last: int


HouseEvent = SeatResigned | SomethingSaid | ActionTakenBack | GameForked
"""What can happen in every game beside the table: it is in the log, but no ruleset ever sees it."""

HOUSE_EVENTS: tuple[type[Any], ...] = (SeatResigned, SomethingSaid, ActionTakenBack, GameForked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of an explanation: its title, a table of texts (a head and rows as long), and sentences on it."""

    title: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of an action that is yet to be chosen: `pointer` (JSON) says where, `values` what may stand there.

    `kind` is the action's `type` tag. None among the values is nothing, or no more of a list.
    """

    kind: str
    pointer: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """How a player is asked for a part: the question, and for each of its values a name, and its place in a picture."""

    text: str
    labels: tuple[str, ...]
    places: tuple[str | None, ...]


class Dice(Protocol):
    """What a game may ask of chance; a label is used once per game."""

    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        """Return the items in a random order."""

    def roll(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return `count` numbers, each from 1 to `sides`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Generic[State, Event, Action]):
    """What a game hands over: a record of pure functions.

    Seats 0 .. n-1 are the players'; a seat beyond them is an automaton's (ODS). A viewer is a seat, or None
    for a spectator. States are never changed in place. `names` are the seats' display names, players first.
    """

    meta: Meta
    event_types: Mapping[str, type[Event]]
    """Every event class by its stored name, without GameStarted."""
    action_types: Mapping[str, type[Action]]
    """Every action class by its `type` tag; fields are str, int, bool, Literal, tuple, None or such dataclasses."""
    start: Callable[[int, Json, Dice], Sequence[Event]]
    """(seats, options, chance): the events that set the game up, following GameStarted."""
    decide: Callable[[State, Seat, Action, Dice], Sequence[Event]]
    """The events that the action causes; raises Illegal, and then nothing has happened."""
    evolve: Callable[[State | None, Event | GameStarted], State]
    """The state after the event; total, and never consults the rules."""
    upcast: Callable[[str, dict[str, Any]], tuple[str, dict[str, Any]]]
    """A stored (name, fields) of any age in today's shape."""
    to_act: Callable[[State], frozenset[Seat]]
    """Who has to act; empty when the game is over."""
    decision: Callable[[State], int]
    """The number of the decision that `to_act` face; an action names the one it answers."""
    legal: Callable[[State, Seat], Sequence[Action]]
    """Every legal action of the seat, one per distinct outcome."""
    automaton: Callable[[State], tuple[Seat, Action] | None]
    """The move that a worker has to make now, or None."""
    on_timeout: Callable[[State, Seat], Action]
    """What is done for a seat whose time is up."""
    turn: Callable[[State], int]
    """The number of the turn, or of whatever a game counts instead, that the state is in; 0 before the first."""
    outcome: Callable[[State], Json | None]
    """None while the game runs; then at least `winners` (seats) and `scores` (by seat)."""
    standings: Callable[[State, Seat | None], Json]
    """The scores if the game ended now, with their derivation, as far as the viewer may know."""
    explain: Callable[[Json, Seat | None, str, Sequence[str]], Sequence[Section]]
    """(standings; the viewer they are for; language; names): how the scores come about, the totals first."""
    view: Callable[[State, Seat | None], Json]
    """All that the viewer may see, built up from nothing."""
    redact: Callable[[Event, Seat | None], Json]
    """The fields of the event that the viewer may see."""
    measures: Sequence[Measure]
    """What is worth a look from turn to turn once a game is over: the scores if it had ended then come first."""
    imagine: Callable[[State, Seat | None], Sequence[State]]
    """States alike in all that the viewer may know, and made up in everything else; they follow from that alone.

    What is the same in all of them the viewer can tell; `arrangements` makes them differ wherever it cannot.
    """
    describe: Callable[[Event | Action | type[Action] | Illegal, Seat | None, str, Sequence[str]], str]
    """(event, action or refusal; viewer; language; names): a sentence that tells the viewer no secret.

    Of an action class it is the name by which players know that kind of action.
    """
    ask: Callable[[Part, Json, str, Sequence[str]], Question]
    """(part; the asked seat's view; language; names): the question for a part of an action."""
    draw: Callable[[Json, str, Sequence[str]], str]
    """(view; language; names): the table as text of at most 72 columns."""
    paint: Callable[[Json, str, Sequence[str]], str]
    """(view; language; names): the whole table as one `<svg>` that stands for itself (svg.py).

    What the notation names as a place is a `<g class="square" data-place="B3">`. No script, style, link or font;
    colours are presentation attributes beside class names, so that a page's stylesheet may change them.
    """
    caption: Callable[[Json, str, Sequence[str]], str]
    """(view; language; names): the position in one sentence of at most 250 characters, for whoever sees no picture."""
    guide: Callable[[str], Guide]
    """(language): the rules in own words for the site, and the terms that its pages explain."""
    notate: Callable[[Action], str]
    """The action in the game's notation, one short line."""
    parse: Callable[[str], Action]
    """The action that a line of notation means; raises Unreadable."""
    address: Callable[[Event, Seat, str, Sequence[str]], str] | None = None
    """What `describe` says to a spectator of the event, said to the seat: for games that say `you` to their players."""
    earlier: Mapping[int, Ruleset[State, Event, Action]] = field(default_factory=dict)
    """The rules as they were at revisions before this one: a game is played to its end by those that it began with.

    Most often a copy with another `meta`, `start` and `decide`. Event and action types only grow; `evolve` is the same.
    """


AnyRuleset = Ruleset[Any, Any, Any]


def by_name(classes: Iterable[type[Any]]) -> dict[str, type[Any]]:
    """Return event or action classes by their stored name: the class name in kebab case, which is for ever."""
    return {re.sub(r"(?<!^)(?=[A-Z])", "-", each.__name__).lower(): each for each in classes}


def arrangements(hidden: Sequence[Thing]) -> list[list[Thing]]:
    """Return orders of things, like ones side by side, so that no place holds the same thing in all of them.

    Places of a single kind of things are the exception: there everybody knows what lies in them.
    """
    commonest = max((hidden.count(thing) for thing in hidden), default=0)
    # What is not of the commonest kind lies in one stretch of the circle; no step is longer than that.
    step = max(1, min(len(hidden) - commonest, len(hidden) // FEWEST_ARRANGEMENTS))
    return [[*hidden[shift:], *hidden[:shift]] for shift in range(0, len(hidden), step)] or [[]]


def at_revision(ruleset: AnyRuleset, revision: int) -> AnyRuleset:
    """Return the ruleset as it was at a revision; LookupError if it is not here (any more, or yet)."""
    if revision == ruleset.meta.revision:
        return ruleset
    if revision not in ruleset.earlier:
        raise LookupError(f"revision {revision} of {ruleset.meta.name} is not here")
    return ruleset.earlier[revision]


def begin(  # noqa: PLR0913, PLR0917 - all that a game begins with
    ruleset: AnyRuleset,
    seats: int,
    options: Json,
    chance: Dice,
    commitment: str,
    nonces: Sequence[str],
    drawn_by: Sequence[str] = (),
    lobby: str = "",
) -> list[Any]:
    """Return the events that open a game: GameStarted, then what the ruleset's setup causes."""
    started = GameStarted(
        ruleset=ruleset.meta.name,
        revision=ruleset.meta.revision,
        seats=seats,
        options=dict(options),
        commitment=commitment,
        nonces=tuple(nonces),
        drawn_by=tuple(drawn_by),
        lobby=lobby,
    )
    return [started, *ruleset.start(seats, options, chance)]


def fold(ruleset: AnyRuleset, events: Iterable[Any], state: Any = None) -> Any:
    """Return the state after the events, starting from `state` (None before the first event)."""
    for event in events:
        state = ruleset.evolve(state, event)
    return state
