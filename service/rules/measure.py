"""What is counted over a game that is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """Something that is counted over a game, and drawn as lines: `count` gives a number for each line.

    The lines are the seats, the automaton's included, or things of the game with `lines`: their names by language.
    `colours` are those of the lines, where they have colours of their own (chart.py). It is for games that are over, so
    that what is hidden while they run counts too.
    """

    name: str
    title: Mapping[str, str]
    count: Callable[[Any], Sequence[int]]
    lines: Mapping[str, tuple[str, ...]] | None = None
    colours: tuple[str, ...] = ()
