"""`boardroom admin reports`: lists what players have reported, and answers it."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import click

from service.commands.admin.acting import acting, operator_here, reason_option
from service.commands.database import data_option
from service.commands.terminal import say
from service.handlers.operators.reports import answer
from service.shared import clock
from service.views.reports import open_reports


@click.group("reports")
def reports() -> None:
    """Look after what players have reported: remarks at tables, names, profiles, and titles of tournaments."""


@reports.command("list")
@data_option
def list_reports(data: Path | None) -> int:
    """List the reports that wait for an answer, the oldest first."""
    with acting(data) as games, games.engine.connect() as db:
        rows = open_reports(db)
    for row in rows:
        where = "".join(f" in {each} {row[each]}" for each in ("game", "tournament") if row[each] is not None)
        say(f"report {row['id']}: {row['about']}{where}, {row['created_at']:%Y-%m-%d %H:%M}")
        say(f"  quoted       {row['reported_name']} ({row['reported']}): {row['quoted']}")
        say(f"  by           {row['reporter_name']} ({row['reporter']}): {row['words']}")
    if not rows:
        say("no report waits for an answer")
    return 0


@reports.command("answer")
@click.argument("report", type=click.UUID)
@click.option("--text", "words", required=True, help="the answer, which the player who has reported it sees")
@reason_option
@data_option
def answer_report(report: UUID, words: str, reason: str, data: Path | None) -> int:
    """Answer a report, which closes it."""
    with acting(data) as games:
        answer(games, report, words, operator_here(reason), clock.now())
    say(f"report {report} is answered")
    return 0
