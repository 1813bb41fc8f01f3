"""What a picture in a mail costs: CPU time from a position to a PNG, and its size, for full boards in mid-game."""

from __future__ import annotations

from statistics import median

from service.commands.selfplay import play_out
from service.mail.picture import png
from service.rules.games.new_corp_order import RULESET
from service.rules.kernel import fold
from service.rules.shapes import Mark
from service.rules.tabletop.picture import NumberedMark, board_picture
from service.rules.tabletop.table import Table
from tests.bench.figures import cpu_seconds, figure

GAMES = 5
NAMES = ("Alice", "Bob", "Carol", "Dave")
MARKS = (
    NumberedMark(Mark(kind="gain", at="C4", count=1, actor=1), 1),
    NumberedMark(Mark(kind="move", at="D3", origin="D2", count=2, actor=2), 2),
)


def main() -> None:
    """Print the figures of pictures."""
    states = [_middle(number) for number in range(GAMES)]
    painted = [_painted(state) for state in states]
    paint = median(cpu_seconds(lambda s=state: _painted(s)) for state in states)
    drawn = median(cpu_seconds(lambda s=svg: png(s)) for svg in painted)
    figure("picture_ms", (paint + drawn) * 1000, "ms", 40, 25, paint_ms=paint * 1000)
    figure("picture_kb", max(len(png(svg)) for svg in painted) / 1000, "kB", 60, 40, svg_kb=len(painted[0]) / 1000)


def _painted(state: object) -> str:
    """The board that the first seat sees, as SVG, with two changes."""
    return board_picture(Table(RULESET, state, 4, 0, "de", NAMES).board(), MARKS, 0)


def _middle(number: int) -> object:
    """A game of four in the middle."""
    game = play_out(RULESET, 4, {}, f"picture:{number}", recorded=True)
    caused = game.caused[: len(game.caused) // 2]
    return fold(RULESET, [*game.opening, *(event for events in caused for event in events)])
