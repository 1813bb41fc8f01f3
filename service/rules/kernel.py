"""Ruleset: the record of functions that a game hands over, and what they get and return (refusals, options, chance).

docs/add-a-game.md builds a game step by step; docs/change-a-rule.md changes a rule of a game that is played.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from msgspec import UNSET, UnsetType

from service.rules.guide import Guide
from service.rules.outcome import Outcome
from service.rules.shared_events import GameForked
from service.rules.table_plugin import Contributions
from service.rules.valuation import Valuation

Seat = int
Json = Mapping[str, Any]

State = TypeVar("State")
Event = TypeVar("Event")
Action = TypeVar("Action")


class Illegal(Exception):
    """A refusal: a kebab-case code, the number of the rule it rests on, and facts that the asking seat may know.

    The code is for programs, `describe` makes a sentence of it for people, and `rule` is a number of the game's README.
    """

    def __init__(self, code: str, rule: str | None = None, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.rule = rule
        self.facts = facts


class Unreadable(ValueError):
    """A text is no action in the game's notation; the message quotes the part that was not understood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One choice of the host, with a text by language; the default of a seat is None, which is "no seat chosen".

    `title` is what stands beside the game's name where a boolean option is chosen, by language; without one it is
    `name`. A game with `house_rules` is not rated: it is another game than that of the book. `waits` is that of Meta,
    for an option that makes the game shorter.
    """

    name: str
    type: Literal["boolean", "seat"]
    default: bool | int | None
    describe: Mapping[str, str]
    title: Mapping[str, str] = field(default_factory=dict)
    house_rules: bool = False
    waits: Mapping[int, int] = field(default_factory=dict)

    def allows(self, value: Any, seats: int) -> bool:
        """Return whether the choice may have this value at a table for so many players."""
        if self.type == "boolean":
            return isinstance(value, bool)
        if value is None:
            return self.default is None
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < seats


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """Facts of a game for the lobby: `seats` are the numbers of players allowed, in rising order.

    `name` is in kebab case and for ever. `revision` begins at 1 and rises with every change of a rule. `languages` are
    those in which the game speaks, English among them. A reader of another gets the first. Every text has all of them.
    """

    name: str
    revision: int
    title: str
    summary: Mapping[str, str]
    seats: tuple[int, ...]
    languages: tuple[str, ...]
    options: tuple[Option, ...] = ()
    automata: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    """By the number of players: the name, by language, of the automaton that plays the seat after theirs."""
    moves: int = 0
    """About how many actions a player takes in a game, for want of `waits`; 0: nobody is told how long a game takes."""
    waits: Mapping[int, int] = field(default_factory=dict)
    """By the number of players: the waits in a row of a game, counted in games of computer players.

    What a player does in a row is one wait, and so is what several do at once; tests/commands/test_waits.py counts.
    """
    place: int = 0
    """Place in lists: lower ones first, then by name. The first of all is offered by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted:
    """The first event of every game: which rules it is played by, and the commitment to its chance.

    `seats` is the number of players. `commitment` is the SHA-256 of the secret seed (chance.py). `nonces` has a value
    per seat, drawn by its `client` or the `server` (`drawn_by`). `lobby` is the head of the chain before, in hex. Where
    they were not noted, `drawn_by` is () and `lobby` "". `origin` and `format` are for the header of the record.
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
    format: int | UnsetType = UNSET
    """The format of the record, in games from before format 8 unset: then it follows from what the game begins with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of an explanation: a title, a table of texts (each row as long as the head), and sentences about it."""

    title: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of an action that is yet to be chosen: where it stands, and the `values` that may stand there.

    `kind` is the action's `type` tag. `pointer` is a JSON Pointer (RFC 6901) into the action as JSON: `/card` for a
    field, `/cards/1` for the second member of a list, `/moves/0/target` for a field of a dataclass in a list.
    None among the values stands for nothing, or for no further member of the list.
    """

    kind: str
    pointer: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Question for a part of an action: its text, and for each value, in order, a label and a place.

    A place is the `data-place` of a square in the picture, None for a value that is not in it.
    """

    text: str
    labels: tuple[str, ...]
    places: tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoAnswer:
    """A kind of answer that a player may choose for a whole game, again and again, for decisions of one kind (T-34).

    `name` is in kebab case and for ever. `describe` says by language what is done. `answer` gets the view of the seat
    that is asked, and its legal actions: it returns one of them, or None for a decision of another kind.
    """

    name: str
    describe: Mapping[str, str]
    answer: Callable[[Mapping[str, Any], Sequence[Any]], Any | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """Chart of a finished game, drawn as lines turn by turn: `count` returns a number for each line.

    The lines are the seats, the automaton's included, or other things of the game: `lines` are then their names by
    language. `colours` are those of the lines, if they have colours of their own. What was hidden counts,
    too, since the game is over.
    """

    name: str
    title: Mapping[str, str]
    count: Callable[[Any], Sequence[int]]
    lines: Mapping[str, tuple[str, ...]] | None = None
    colours: tuple[str, ...] = ()


class Dice(Protocol):
    """Chance as a game may use it. Each label is used once per game: asked again, it gives the same result again."""

    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        """Return the items in a random order."""

    def roll(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return `count` numbers, each from 1 to `sides`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Generic[State, Event, Action]):
    """Ruleset of a game: a record of pure functions.

    Seats 0 .. n-1 are the players'; a seat beyond them is the automaton's. A viewer is a seat, or None for a spectator.
    States are never changed in place, and are compared with ==. `names` are the seats' display names, players' first.
    """

    meta: Meta
    event_types: Mapping[str, type[Event]]
    """Every event class by its stored name (`by_name`), without GameStarted.

    Fields are str, int, bool, None, Literal, and tuples, NamedTuples and frozen dataclasses of these. A stored class
    never changes: a new shape is a new class with a name of its own, and `upcast` reads the old name.
    """
    action_types: Mapping[str, type[Action]]
    """Every action class by its `type` tag (`by_name`). Fields are as in events, but without NamedTuples."""
    start: Callable[[int, Json, Dice], Sequence[Event]]
    """(players, options, chance): the events that set the game up, following GameStarted."""
    decide: Callable[[State, Seat, Action, Dice], Sequence[Event]]
    """The events that the action causes, at least one; raises Illegal, and then nothing has happened.

    They may come with the state that `evolve` makes of them (`Caused`), which saves evolving them again.
    """
    evolve: Callable[[State | None, Event | GameStarted], State]
    """The state after the event, of whatever revision it is. It never refuses, and never asks the rules or chance."""
    upcast: Callable[[str, dict[str, Any]], tuple[str, dict[str, Any]]]
    """A stored (name, fields) that `event_types` no longer has, in today's shape."""
    to_act: Callable[[State], frozenset[Seat]]
    """The seats that have to act now: several if they decide simultaneously, none when the game is over."""
    decision: Callable[[State], int]
    """The number of the decision that the seats of `to_act` face; an action names the one it answers.

    It never falls. It rises when a seat that has acted has to act again; but it stays while others still owe an answer
    to the same decision, so that theirs get no staler, and may while a seat goes on with steps that nobody else sees.
    """
    legal: Callable[[State, Seat], Sequence[Action]]
    """Every legal action of the seat, one per distinct outcome; none unless the seat is in `to_act`."""
    automaton: Callable[[State], tuple[Seat, Action] | None]
    """The move that the service has to make now for the automaton in the seat after the players', or None."""
    on_timeout: Callable[[State, Seat], Action]
    """The legal action that the service plays for a seat whose player has resigned: the whole rest of its answer."""
    turn: Callable[[State], int]
    """The number of the turn, round or lot in which the state is; 0 before the first."""
    outcome: Callable[[State], Outcome | None]
    """None while somebody has to act; then the result of the game."""
    standings: Callable[[State, Seat | None], Json]
    """The scores if the game ended now, with their derivation, as far as the viewer may know."""
    explain: Callable[[Json, Seat | None, str, Sequence[str]], Sequence[Section]]
    """(standings; the viewer they are for; language; names): how the scores come about, the totals first."""
    view: Callable[[State, Seat | None], Json]
    """View of a viewer, built up from nothing, field by field: a field that is not listed stays hidden."""
    redact: Callable[[Event, Seat | None], Json]
    """The fields of the event that the viewer may see; where `seat` is None in them, nobody is told who caused it."""
    measures: Sequence[Measure]
    """Charts of a finished game; the first has the scores if the game had ended at each turn."""
    imagine: Callable[[State, Seat | None], Sequence[State]]
    """States that look to the viewer like this one and differ in all that is hidden; they follow from the view alone.

    The viewer knows what is the same in all of them; `arrangements` makes them differ in everything else.
    """
    describe: Callable[[Event | Action | type[Action] | Illegal, Seat | None, str, Sequence[str]], str]
    """(event, action or refusal; viewer; language; names): a sentence that tells the viewer no secret.

    Of an action class it is the name by which players know that kind of action.
    """
    ask: Callable[[Part, Json, str, Sequence[str]], Question]
    """(part; view of the seat that is asked; language; names): the question for a part of an action."""
    draw: Callable[[Json, str, Sequence[str]], str]
    """(view; language; names): the table as text of at most 72 columns. No line of it reads as an action's notation."""
    paint: Callable[[Json, str, Sequence[str]], str]
    """(view; language; names): the whole table as one `<svg>` that stands for itself (svg.py).

    A place that the notation names, such as B3, is a `<g class="square" data-place="B3">`. There is no script, style,
    link or font; colours are presentation attributes beside class names, so that a page's stylesheet may change them.
    """
    caption: Callable[[Json, str, Sequence[str]], str]
    """(view; language; names): the position in one sentence of at most 250 characters, for readers without pictures."""
    guide: Callable[[str], Guide]
    """(language): the rules in own words for the site, and the terms that its pages explain."""
    notate: Callable[[Action], str]
    """The action in the game's notation: one line of at most 60 printable characters, which `parse` reads."""
    parse: Callable[[str], Action]
    """The action that a line means, in a mail too: no word of small talk may be an action; raises Unreadable."""
    address: Callable[[Event, Seat, str, Sequence[str]], str] | None = None
    """Sentence of `describe` for a spectator, but spoken to the seat: for games that call their players `you`."""
    earlier: Mapping[int, Ruleset[State, Event, Action]] = field(default_factory=dict)
    """The rules of earlier revisions: a game is played, scored and verified by the revision that it began with.

    Each is a whole ruleset, so `start`, `decide`, `legal`, `outcome` and `standings` change together. Event and action
    types only grow, and `evolve`, `upcast` and `decision` are the same for all revisions: logs are folded by today's.
    """
    auto_answers: Sequence[AutoAnswer] = ()
    ahead: Callable[[State, Seat], Sequence[Action]] | None = None
    """Actions of a seat if its turn began now, as `legal`: moves that it may give ahead."""
    relies_on: Callable[[Json, Action], Sequence[str]] | None = None
    """(view of the seat; action): places of the view, as JSON pointers, that the action rests on (order_conditions)."""
    contributions: Contributions = field(default_factory=Contributions)
    deal_again: Callable[[State, Seat | None, Dice], State] | None = None
    """A state alike in all that the viewer may know and has seen happen, each way to deal it as likely as any other.

    It follows from the dice and from what the viewer knows alone. The dice are no game's chance, and share no label.
    """
    absence_ruled: bool = False
    """True if the rules themselves say what an absent seat plays (`on_timeout`); else a computer chooses."""
    valuation: Valuation | None = None
    candidates: Callable[[State, Seat], Sequence[Action]] | None = None
    """Actions of `legal` that a computer player considers, without those that another action always matches."""


AnyRuleset = Ruleset[Any, Any, Any]


def by_name(classes: Iterable[type[Any]]) -> dict[str, type[Any]]:
    """Return event or action classes by their stored name: the class name in kebab case, which never changes."""
    return {re.sub(r"(?<!^)(?=[A-Z])", "-", each.__name__).lower(): each for each in classes}


def at_revision(ruleset: AnyRuleset, revision: int) -> AnyRuleset:
    """Return the ruleset as it was at a revision; LookupError if that revision is not installed (any more, or yet)."""
    if revision == ruleset.meta.revision:
        return ruleset
    if revision not in ruleset.earlier:
        raise LookupError(f"revision {revision} of {ruleset.meta.name} is not here")
    return ruleset.earlier[revision]


def begin(  # noqa: PLR0913 - all that a game begins with
    ruleset: AnyRuleset,
    seats: int,
    options: Json,
    chance: Dice,
    commitment: str,
    nonces: Sequence[str],
    drawn_by: Sequence[str] = (),
    lobby: str = "",
    form: int | UnsetType = UNSET,
) -> list[Any]:
    """Return the events that open a game: GameStarted, then what the ruleset's setup causes.

    `form` is the format of its record.
    """
    started = GameStarted(
        ruleset=ruleset.meta.name,
        revision=ruleset.meta.revision,
        seats=seats,
        options=dict(options),
        commitment=commitment,
        nonces=tuple(nonces),
        drawn_by=tuple(drawn_by),
        lobby=lobby,
        format=form,
    )
    return [started, *ruleset.start(seats, options, chance)]


def fold(ruleset: AnyRuleset, events: Iterable[Any], state: Any = None) -> Any:
    """Return the state after the events, starting from `state` (None before the first event)."""
    for event in events:
        state = ruleset.evolve(state, event)
    return state


class DecisionResult(list[Any]):
    """Events in their order, and the `state` after them if they are put on top of the state `before`.

    A game's `decide` may return them: then computer players, previews and analyses need not evolve them once more.
    The log does, since a state is what its events add up to.
    """

    def __init__(self, before: Any) -> None:
        super().__init__()
        self.before = self.state = before


def state_after(ruleset: AnyRuleset, state: Any, events: Sequence[Any]) -> Any:
    """Return the state after events that were decided in a state."""
    if isinstance(events, DecisionResult) and events.before is state:
        return events.state
    return fold(ruleset, events, state)
