"""Measure a picture in a mail: CPU time from a position to a PNG, and its size, for full boards in mid-game."""

from __future__ import annotations

from functools import partial
from statistics import median

from service.commands.selfplay import play_out
from service.mail.picture import png
from service.rules.kernel import AnyRuleset, fold
from service.rules.registry import find_rulesets
from service.rules.table_parts import Mark
from service.rules.tabletop.picture import NumberedMark, board_picture
from service.rules.tabletop.table import Table
from tests.bench.figures import cpu_seconds, figure

GAMES = 5
NAMES = ("Alice", "Bob", "Carol", "Dave")


def main() -> None:
    """Print the figures of the pictures of each game."""
    for ruleset in find_rulesets().values():
        states = [_middle(ruleset, number) for number in range(GAMES)]
        painted = [_painted(ruleset, state) for state in states]
        paint = median(cpu_seconds(partial(_painted, ruleset, state)) for state in states)
        drawn = median(cpu_seconds(partial(png, svg)) for svg in painted)
        game, largest = ruleset.meta.name, max(len(png(svg)) for svg in painted)
        figure("picture_ms", (paint + drawn) * 1000, "ms", 60, 25, paint_ms=paint * 1000, game=game)
        figure("picture_kb", largest / 1000, "kB", 60, 40, svg_kb=len(painted[0]) / 1000, game=game)


def _painted(ruleset: AnyRuleset, state: object) -> str:
    """The board that the first seat sees, as SVG, with two changes."""
    board = Table(ruleset, state, 4, 0, "de", NAMES).board()
    first, second, *_ = board.places
    marks = (
        NumberedMark(Mark(kind="gain", at=first, count=1, actor=1), 1),
        NumberedMark(Mark(kind="move", at=second, origin=first, count=2, actor=2), 2),
    )
    return board_picture(board, marks, 0)


def _middle(ruleset: AnyRuleset, number: int) -> object:
    """A game of four in the middle."""
    game = play_out(ruleset, 4, {}, f"picture:{number}", recorded=True)
    caused = game.caused[: len(game.caused) // 2]
    return fold(ruleset, [*game.opening, *(event for events in caused for event in events)])
