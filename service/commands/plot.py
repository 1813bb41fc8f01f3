"""`boardroom plot`: the measures of a recorded game as pictures, offline."""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.recorded_game import EPILOG, file_argument, language_option, names_in, timeline_of
from service.commands.refused import Refused, in_words
from service.commands.terminal import say
from service.mail.picture import png
from service.views.plots import nonzero_measures, plot


@click.command("plot", epilog=EPILOG)
@file_argument
@language_option
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="the folder for the pictures"
)
def command(file: Path, language: str, out: Path) -> int:
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
