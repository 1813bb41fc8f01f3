"""What games of computer players have shown of a ruleset; `boardroom facts` writes it, and a guide may tell it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """How games at tables of one size went; they tell of these players, and are no law of the game.

    `level` played all seats of `games` games. `turns` and `scores` are the 5th percentile, the median and the 95th;
    `winner` is the median score of who wins. `first` is the win rate of the seat that begins, in per cent, and the ends
    of its 95 % interval.
    """

    level: str
    games: int
    turns: tuple[int, int, int]
    scores: tuple[int, int, int]
    winner: int
    first: tuple[int, int, int]
