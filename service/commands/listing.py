"""`boardroom listing`: a recorded game as a text, offline."""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.recorded_game import EPILOG, file_argument, language_option, names_in, timeline_of
from service.commands.terminal import say_text
from service.texts.games import full_title
from service.views.listing import listing


@click.command("listing", epilog=EPILOG)
@file_argument
@language_option
def command(file: Path, language: str) -> int:
    """Print a recorded game (FILE.jsonl), turn by turn, in its notation and in words."""
    timeline = timeline_of(file)
    started = timeline.steps[0].facts[0].event
    title, names = full_title(timeline.ruleset.meta, started.options, language), names_in(timeline, language)
    say_text(listing(timeline, title, names, None, language, everything=True))
    return 0
