"""`boardroom listing` and `boardroom plot`: a recorded game as a text, and its measures as pictures, offline."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final

from service.commands.terminal import complain, say, say_text
from service.log.timeline import Timeline
from service.mail.picture import png
from service.record.files import whole
from service.record.reading import Faulty
from service.record.unrolling import unrolled
from service.rules.registry import find_rulesets
from service.texts.catalog import languages
from service.texts.names import automaton_name
from service.views.listing import listing, players
from service.views.plots import nonzero_measures, plot

UNREADABLE: Final = 2


def main_listing(words: list[str]) -> int:
    """Run `boardroom listing`; returns 0, 1 if the record does not hold, 2 if it cannot be read."""
    parser = _parser("listing", "Print a recorded game, turn by turn, in its notation and in words.")
    return _told(parser.parse_args(words), lambda asked, timeline: say_text(_listed(timeline, asked.language)))


def main_plot(words: list[str]) -> int:
    """Run `boardroom plot`; returns what `main_listing` does."""
    parser = _parser("plot", "Draw what is counted over a recorded game, as SVG and PNG.")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder for the pictures")
    return _told(parser.parse_args(words), _plotted)


def _told(asked: argparse.Namespace, tell: Callable[[argparse.Namespace, Timeline], None]) -> int:
    try:
        tell(asked, unrolled(whole(asked.file), find_rulesets()))
    except OSError as error:
        complain(f"boardroom: {error}")
        return UNREADABLE
    except Faulty as fault:
        complain(f"boardroom: {asked.file} does not hold, {fault}")
        return 1
    return 0


def _listed(timeline: Timeline, language: str) -> str:
    return listing(timeline, timeline.ruleset.meta.title, _names(timeline, language), None, language, everything=True)


def _plotted(asked: argparse.Namespace, timeline: Timeline) -> None:
    asked.out.mkdir(parents=True, exist_ok=True)
    for measure in nonzero_measures(timeline):
        drawn = plot(timeline, measure, asked.language, _names(timeline, asked.language))
        path = asked.out / f"{asked.file.stem}-{measure.name}"
        path.with_suffix(".svg").write_text(drawn, encoding="utf-8")
        path.with_suffix(".png").write_bytes(png(drawn))
        say(f"{path.with_suffix('.svg')} {path.with_suffix('.png')}")


def _names(timeline: Timeline, language: str) -> tuple[str, ...]:
    """Return names for the seats, since a record tells nobody's; the automaton has its own."""
    seats = timeline.steps[0].facts[0].event.seats
    automaton = automaton_name(timeline.ruleset.meta, seats, language)
    return players(seats, () if automaton is None else (automaton,), language)


def _parser(name: str, described: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"boardroom {name}",
        description=described,
        epilog="Exit code: 0, 1 if the record does not hold (see boardroom verify), 2 if it cannot be read.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a record (.jsonl)")
    parser.add_argument("--language", choices=languages(), default="en", help="default: %(default)s")
    return parser
