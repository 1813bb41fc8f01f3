"""What is counted turn by turn over a finished game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """Something that is counted over a finished game and drawn as lines: `count` returns a number for each line.

    The lines are the seats, the automaton's included, or other things of the game: `lines` are then their names by
    language. `colours` are those of the lines, if they have colours of their own (chart.py). What was hidden counts,
    too, since the game is over.
    """

    name: str
    title: Mapping[str, str]
    count: Callable[[Any], Sequence[int]]
    lines: Mapping[str, tuple[str, ...]] | None = None
    colours: tuple[str, ...] = ()
