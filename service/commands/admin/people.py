"""`boardroom admin block`, `unblock`, `close`, `export`, `erase`, `operator` and `reports`: accounts and persons."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import click

from service.commands.admin.acting import (
    acting,
    chosen_account,
    confirm,
    operator_here,
    reason_option,
    yes_option,
)
from service.commands.database import data_option
from service.commands.terminal import WRONG, Refused, say
from service.handlers import operators
from service.handlers.operators import answer_report as answer
from service.handlers.transaction import transaction
from service.local.environment import settings_of
from service.shared import clock
from service.views.account import account_row
from service.views.export import export as export_of
from service.views.people import open_reports

_address: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--address", is_flag=True, help="WHOM is a mail address itself, whether an account has it or not"
)


@click.command("block")
@click.argument("whom")
@_address
@yes_option
@reason_option
@data_option
def block(whom: str, address: bool, yes: bool, reason: str, data: Path | None) -> int:
    """Block an account (by id or verified address) with its bots, or an address.

    A blocked player is signed out, tokens and links are refused with the reason, and mails stop. Seats at open tables
    become free. At tables with a clock the time runs, and the service plays; at others the seat is given up. Of the
    tournaments that the player hosts, those that have not begun are called off; the others go on by themselves.
    """
    with acting(data) as games:
        if address:
            confirm(yes, f"Block the address {whom}?")
            operators.block_address(games, whom, operator_here(reason), clock.now())
            say("the address is blocked: no mail goes there, and nobody signs in with it")
            return 0
        player = chosen_account(games, whom, "Block", yes)
        given_up = operators.block_account(games, player, operator_here(reason), clock.now())
    say(f"account {player} is blocked; games given up because they have no clock: {given_up}")
    return 0


@click.command("unblock")
@click.argument("whom")
@_address
@yes_option
@reason_option
@data_option
def unblock(whom: str, address: bool, yes: bool, reason: str, data: Path | None) -> int:
    """Unblock an account (by id or verified address), or an address."""
    with acting(data) as games:
        if address:
            confirm(yes, f"Unblock the address {whom}?")
            operators.unblock_address(games, whom, operator_here(reason), clock.now())
        else:
            player = chosen_account(games, whom, "Unblock", yes)
            operators.unblock_account(games, player, operator_here(reason), clock.now())
    say(f"{whom} is not blocked any more")
    return 0


@click.command("close")
@click.argument("whom")
@yes_option
@reason_option
@data_option
def close(whom: str, yes: bool, reason: str, data: Path | None) -> int:
    """Close an account (by id or verified address) for good, as its player could: what was said at tables stays."""
    with acting(data) as games:
        player = chosen_account(games, whom, "Close for good", yes)
        operators.close_account(games, player, operator_here(reason), clock.now())
    say(f"account {player} is closed")
    return 0


@click.command("erase")
@click.argument("whom")
@yes_option
@reason_option
@data_option
def erase(whom: str, yes: bool, reason: str, data: Path | None) -> int:
    """Erase a person (by id or verified address): the account is closed, and what they said at tables goes as well.

    Moves stay, as those of a former player: the others' games rest on them.
    """
    with acting(data) as games:
        player = chosen_account(games, whom, "Erase, with all that was said by it,", yes)
        operators.erase_account(games, player, operator_here(reason), clock.now())
    say(f"the person of account {player} is erased")
    return 0


@click.command("export")
@click.argument("whom")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="FILE", help="a file that is not there")
@yes_option
@reason_option
@data_option
def export(whom: str, out: Path, yes: bool, reason: str, data: Path | None) -> int:
    """Write all that is kept about a person (by id or verified address) to a file, as JSON, for that person alone."""
    if out.exists():
        raise Refused(f"{out} is there already", WRONG)
    with acting(data) as games:
        player = chosen_account(games, whom, "Export all that is kept about", yes)
        with transaction(games.engine) as db:
            # Noted first, so that the export shows it, too.
            operators.export_account(db, player, operator_here(reason), clock.now())
            kept = export_of(db, games, account_row(db, player), settings_of(data).mail_delay, clock.now())
            out.touch(0o600)
            out.write_text(json.dumps(kept, ensure_ascii=False, indent=1))
    say(f"written: {out}")
    return 0


@click.group("operator")
def operator() -> None:
    """Say which accounts may use the pages below /operate."""


@operator.command("add")
@click.argument("whom")
@yes_option
@reason_option
@data_option
def add(whom: str, yes: bool, reason: str, data: Path | None) -> int:
    """Give an account (by id or verified address) the role; it has to have signed in with its address on the pages
    within the last month."""
    with acting(data) as games:
        player = chosen_account(games, whom, "Give the role of an operator to", yes)
        operators.add_operator(games, player, operator_here(reason), clock.now())
    say(f"account {player} is an operator")
    return 0


@operator.command("remove")
@click.argument("whom")
@yes_option
@reason_option
@data_option
def remove(whom: str, yes: bool, reason: str, data: Path | None) -> int:
    """Take the role from an account (by id or verified address)."""
    with acting(data) as games:
        player = chosen_account(games, whom, "Take the role of an operator from", yes)
        operators.remove_operator(games, player, operator_here(reason), clock.now())
    say(f"account {player} is no operator any more")
    return 0


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
