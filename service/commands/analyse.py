"""`boardroom analyse`: chances, turning points and moves that lost most of a recorded game, offline."""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.recorded_game import EPILOG, file_argument, language_option, names_in, timeline_of
from service.commands.terminal import Refused, in_words, progress, say
from service.log.folding import Timeline
from service.mail.picture import png
from service.players.analysis import Chances, LostChance, TurningPoint, analyse_step
from service.rules.kernel import GameStarted
from service.texts.catalog import say as text
from service.views.analysis import ShownAnalysis, as_stored, by_turn, lost_text, shown, steps_of
from service.views.charts import SEATS, Chart, Curve, chart


@click.command("analyse", epilog=EPILOG)
@file_argument
@language_option
@click.option("--picture", type=click.Path(path_type=Path), metavar="FILE", help="a file .svg or .png for the curve")
def command(file: Path, language: str, picture: Path | None) -> int:
    """Estimate everybody's chance to win in a recorded game (FILE.jsonl), and name the moves that lost most.

    All figures are a computer player's estimates; each loss is a range over two budgets.
    """
    timeline = timeline_of(file)
    started = timeline.steps[0].facts[0].event
    seats, steps = started.seats, steps_of(timeline)
    chances = Chances(timeline.ruleset, seats)
    found = []
    with progress("looking at steps", len(steps)) as step:
        for each in steps:
            found.append(as_stored(analyse_step(chances, _name(started), each)))
            step()
    analysis, names = shown(timeline.ruleset, seats, found), names_in(timeline, language)
    _print_analysis(timeline, analysis, names, language)
    if picture is not None:
        _write_picture(picture, _chances_chart(timeline, analysis, names, language))
    return 0


def _name(started: GameStarted) -> str:
    """Return what the dice follow from: the commitment, since a record's file may have any name."""
    return started.commitment


def _print_analysis(timeline: Timeline, analysis: ShownAnalysis, names: tuple[str, ...], language: str) -> None:
    if not analysis.fitted:
        say(text(language, "an-points-alone"))
    for turn in analysis.turns:
        say(_turning_point_line(timeline, turn, names, language))
    for lost in analysis.lost:
        say(_lost_line(timeline, lost, names, language))
    say(text(language, "an-estimate"))


def _turning_point_line(timeline: Timeline, each: TurningPoint, names: tuple[str, ...], language: str) -> str:
    turn, chances = timeline.steps[timeline.place(each.seq)].turn, (round(100 * each.before), round(100 * each.after))
    told = text(language, "an-swing").format(name=names[each.seat], before=chances[0], after=chances[1])
    return f"{turn:>4}  {told}"


def _lost_line(timeline: Timeline, each: LostChance, names: tuple[str, ...], language: str) -> str:
    turn = timeline.steps[timeline.place(each.seq)].turn
    return f"{turn:>4}  {lost_text(timeline.ruleset, each, names, language)}"


def _chances_chart(timeline: Timeline, analysis: ShownAnalysis, names: tuple[str, ...], language: str) -> str:
    rows = by_turn(timeline, analysis.points, open_cards=False)
    lines = [
        Curve(names[seat], SEATS[seat], [(turn, chances[seat]) for turn, chances in rows])
        for seat in range(len(rows[0][1]))
    ]
    return str(chart(Chart(text(language, "an-chances"), text(language, "chart-turn"), lines)))


def _write_picture(path: Path, drawn: str) -> None:
    try:
        if path.suffix == ".svg":
            path.write_text(drawn, encoding="utf-8")
        else:
            path.write_bytes(png(drawn))
    except OSError as error:
        raise Refused(in_words(error)) from error
    say(str(path))
