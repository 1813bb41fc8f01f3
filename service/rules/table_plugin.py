"""Plug-in for a table's page: the functions that a ruleset contributes, and what each of them gets.

They return data or SVG for one reader, in the reader's language. `Table` (tabletop/table.py) calls them, and has a
default for each part. docs/contribute-to-the-table.md explains each part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from service.rules.outcome import Outcome
from service.rules.table_parts import (
    Board,
    Choices,
    Foreseen,
    Glimpse,
    Headline,
    Json,
    Kind,
    Line,
    Mark,
    Panel,
    Picks,
    PointsPart,
    Result,
    Seat,
    Seen,
    Status,
    Telling,
    Unit,
    Zone,
)


@dataclass(frozen=True, kw_only=True)
class Sight:
    """Knowledge of one reader of a position: no function of a ruleset below gets more.

    `viewer` is a seat, None for a spectator. `outcome` is None while somebody has to act.
    """

    view: Json
    viewer: Seat | None
    language: str
    names: Sequence[str]
    to_act: frozenset[Seat]
    turn: int
    outcome: Outcome | None
    imagine: Callable[[], Sequence[Any]]
    score: Callable[[], Json]
    memo: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Cache of what several functions of a ruleset need."""

    @cached_property
    def imagined(self) -> Sequence[Any]:
        """The states that the reader cannot tell from the real one (`Ruleset.imagine`)."""
        return self.imagine()

    @cached_property
    def known(self) -> Any:
        """A state in which all that the reader knows is real, and all that is hidden is made up."""
        return self.imagined[0]

    @cached_property
    def standings(self) -> Json:
        """The scores if the game ended now, as far as the reader may know."""
        return self.score()

    @property
    def mine(self) -> bool:
        """True if the reader has to act."""
        return self.viewer in self.to_act


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributions:
    """The functions of a ruleset for the page of a table; the page has a default for each that is None.

    All are pure. `symbols` returns `<symbol>` elements by id, in a language. `looks` are the values of the classes
    c1 .. c8 and on-c1 .. on-c8 by light and dark theme. `picks` are the picks that lead to an action. `turns` are the
    stored names of the events with which a turn begins; without them lines of the log have no number of a turn.
    `unit` is by language what the game calls that in which `Ruleset.turn` counts; without it these are turns.
    `upcoming` are the seats that come next, after those that are to act now, as far as that is known. `intended` are
    the marks of an action for a later turn. `sources` are in a language all parts that the points of a result among
    people may have, without points: profiles add points up by their symbols, which are kept. `headlines` are told by
    the subjects of mails: what a spectator saw happen, addressed to the seat. An event without one is never a subject.
    """

    board: Callable[[Sight, Sequence[Mark]], Board] | None = None
    zones: Callable[[Sight], Sequence[Zone]] | None = None
    symbols: Callable[[str], Mapping[str, str]] = lambda _: {}
    looks: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    kinds: Callable[[Sight], Sequence[Kind]] | None = None
    choices: Callable[[Sight, Picks], Choices] | None = None
    picks: Callable[[Sight, Any], Picks] | None = None
    preview: Callable[[Sight, Any, Foreseen], Telling] | None = None
    changes: Callable[[Sight, Sequence[Seen]], Sequence[Mark]] | None = None
    panel: Callable[[Sight, Seat], Panel] | None = None
    status: Callable[[Sight], Status] | None = None
    story: Callable[[Sight, Sequence[Seen]], Sequence[Line]] | None = None
    headlines: Callable[[Sight, Sequence[Seen], Seat], Sequence[Headline]] | None = None
    result: Callable[[Sight], Result] | None = None
    sources: Callable[[str], Sequence[PointsPart]] = lambda _: ()
    glimpse: Callable[[Sight], Glimpse] | None = None
    turns: frozenset[str] = frozenset()
    unit: Mapping[str, Unit] = field(default_factory=dict)
    upcoming: Callable[[Sight], Sequence[Seat]] = lambda _: ()
    intended: Callable[[Sight, Any], Sequence[Mark]] = lambda _, __: ()
