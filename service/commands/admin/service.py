"""`boardroom admin announce` and `read-only`: what holds for the whole service."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from service.commands.admin.acting import acting, operator_here, reason_option
from service.commands.database import data_option
from service.commands.terminal import say
from service.handlers.operators import service
from service.shared import clock
from service.store.mode import Validity


class _Moment(click.ParamType[datetime]):
    """A moment in ISO 8601, in UTC unless it says otherwise."""

    name = "moment"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Return the moment; BadParameter."""
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is no moment such as 2026-01-31T22:00.", param, ctx)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@click.command("announce")
@click.option("--from", "begins", type=_Moment(), help="when it begins (ISO 8601, UTC unless it says otherwise)")
@click.option("--until", "ends", type=_Moment(), help="when it ends")
@click.option("--text", "texts", multiple=True, metavar="LANGUAGE=TEXT", help="what pages say, for each of en, de, fr")
@click.option("--withdraw", is_flag=True, help="withdraw the announcement")
@reason_option
@data_option
def announce(
    begins: datetime | None,
    ends: datetime | None,
    texts: Sequence[str],
    withdraw: bool,
    reason: str,
    data: Path | None,
) -> int:
    """Announce maintenance on every page, and by the header Maintenance in every answer, until it is over."""
    if withdraw != (begins is None and ends is None and not texts):
        raise click.UsageError("Use --from, --until and --text, or --withdraw alone.")
    by, now = operator_here(reason), clock.now()
    with acting(data) as games:
        if withdraw:
            service.withdraw(games, by, now)
            say("the announcement is withdrawn")
            return 0
        words = dict(each.partition("=")[::2] for each in texts)
        service.announce(games, Validity(begins or now, ends, words), by, now)
    say("maintenance is announced")
    return 0


@click.group("read-only")
def read_only() -> None:
    """Stop all writing, for a time in which nothing may change: requests that write get 503, and workers wait.

    What operators do by `boardroom admin` and on their pages is carried out all the same.
    """


@read_only.command("on")
@click.option(
    "--until", type=_Moment(), help="when it is likely to end: told to those who are refused; nothing ends it"
)
@reason_option
@data_option
def stop(until: datetime | None, reason: str, data: Path | None) -> int:
    """Stop all writing, in every process within two seconds."""
    with acting(data) as games:
        service.stop_writing(games, until, operator_here(reason), clock.now())
    say("read-only: in force in every process within two seconds, until `boardroom admin read-only off`")
    return 0


@read_only.command("off")
@reason_option
@data_option
def resume(reason: str, data: Path | None) -> int:
    """Allow writing again. Deadlines in between are moved if it took more than three minutes."""
    with acting(data) as games:
        service.allow_writing(games, operator_here(reason), clock.now())
    say("writing is allowed again: in force in every process within two seconds")
    return 0
