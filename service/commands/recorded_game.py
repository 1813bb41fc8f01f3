"""`boardroom listing` and `plot`: a recorded game as a text and as charts, offline; with what `analyse` shares."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from service.commands.rulesets import installed_rulesets
from service.commands.terminal import UNCHECKED, WRONG, Refused, in_words, say, say_text
from service.log.folding import Timeline
from service.mail.picture import png
from service.record.reading import Faulty, FormatUnknown, RulesMissing, read_bounded_file
from service.record.verify import NothingPlayed, unrolled
from service.texts.catalog import languages
from service.texts.games import automaton_name, full_title
from service.views.charts import nonzero_measures, plot
from service.views.listing import listing, players

EPILOG: Final = (
    "Exit code: 0, 1 if the record does not hold (see boardroom verify), 2 if it cannot be read or its game was "
    "called off before it began, 3 if the rules of its game are not installed here (RULESET_PACKAGES) "
    "or a newer version wrote it."
)
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
file_argument: Decorator = click.argument("file", type=click.Path(path_type=Path))
language_option: Decorator = click.option(
    "--language", type=click.Choice(languages()), default="en", show_default=True, help="the language of the words"
)


def timeline_of(file: Path) -> Timeline:
    """Return the steps of a record.

    Refused if it cannot be read or does not hold, if its rules are not installed, or if its game never began.
    """
    try:
        return unrolled(read_bounded_file(file), installed_rulesets())
    except OSError as error:
        raise Refused(in_words(error)) from error
    except Faulty as fault:
        raise Refused(f"{file} does not hold, {fault}", WRONG) from fault
    except FormatUnknown as unknown:
        raise Refused(f"{file} cannot be shown: {unknown}. Install a newer version.", UNCHECKED) from unknown
    except RulesMissing as missing:
        raise Refused(f"{file} cannot be shown: {missing}. RULESET_PACKAGES names where.", UNCHECKED) from missing
    except NothingPlayed as nothing:
        raise Refused(f"{file} has nothing to show: its game was called off before it began") from nothing


def names_in(timeline: Timeline, language: str) -> tuple[str, ...]:
    """Return names for the seats, since a record has none; the automaton has its own."""
    seats = timeline.steps[0].facts[0].event.seats
    automaton = automaton_name(timeline.ruleset.meta, seats, language)
    return players(seats, () if automaton is None else (automaton,), language)


@click.command("listing", epilog=EPILOG)
@file_argument
@language_option
def listing_command(file: Path, language: str) -> int:
    """Print a recorded game (FILE.jsonl), turn by turn, in its notation and in words."""
    timeline = timeline_of(file)
    started = timeline.steps[0].facts[0].event
    title, names = full_title(timeline.ruleset.meta, started.options, language), names_in(timeline, language)
    say_text(listing(timeline, title, names, None, language, everything=True))
    return 0


@click.command("plot", epilog=EPILOG)
@file_argument
@language_option
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="the folder for the pictures"
)
def plot_command(file: Path, language: str, out: Path) -> int:
    """Draw what is counted over a recorded game (FILE.jsonl), as SVG and PNG."""
    timeline = timeline_of(file)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for measure in nonzero_measures(timeline):
            drawn = plot(timeline, measure, language, names_in(timeline, language))
            path = out / f"{file.stem}-{measure.name}"
            path.with_suffix(".svg").write_text(drawn, encoding="utf-8")
            path.with_suffix(".png").write_bytes(png(drawn))
            say(f"{path.with_suffix('.svg')} {path.with_suffix('.png')}")
    except OSError as error:
        raise Refused(in_words(error)) from error
    return 0
