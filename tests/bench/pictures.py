"""What a picture in a mail costs: CPU time from a view to a PNG, and its size, for full boards in mid-game."""

from __future__ import annotations

from statistics import median

from service.commands.selfplay import play_out
from service.mail.picture import png
from service.rules.games.new_corp_order import RULESET
from service.rules.kernel import Json, fold
from tests.bench.figures import cpu_seconds, figure

GAMES = 5
NAMES = ("Alice", "Bob", "Carol", "Dave")


def main() -> None:
    """Print the figures of pictures."""
    views = [_middle(number) for number in range(GAMES)]
    painted = [RULESET.paint(view, "de", NAMES) for view in views]
    paint = median(cpu_seconds(lambda v=view: RULESET.paint(v, "de", NAMES)) for view in views)
    drawn = median(cpu_seconds(lambda s=svg: png(s)) for svg in painted)
    figure("picture_ms", (paint + drawn) * 1000, "ms", 25, 15, paint_ms=paint * 1000)
    figure("picture_kb", max(len(png(svg)) for svg in painted) / 1000, "kB", 60, 40, svg_kb=len(painted[0]) / 1000)


def _middle(number: int) -> Json:
    """What the first seat sees in the middle of a game of four."""
    game = play_out(RULESET, 4, {}, f"picture:{number}", recorded=True)
    caused = game.caused[: len(game.caused) // 2]
    return RULESET.view(fold(RULESET, [*game.opening, *(event for events in caused for event in events)]), 0)
