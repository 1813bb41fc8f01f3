"""`boardroom admin find`, `outbox` and `log`: players, games, effects that are dead or late, and operators' acts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

from service.commands.admin.acting import acting, operator_here, reason_option
from service.commands.database import data_option
from service.commands.terminal import WRONG, complain, say
from service.handlers import operators
from service.shared import clock
from service.store.operation import OperatorEvent, latest_operator_acts
from service.views.operation import FoundGame, FoundPlayer, Row, find_games, find_players, troubled_effects

RETRY_WAIT_S: Final = 35
"""Seconds for which a worker is waited for that is at the row: the text of a mail takes no longer to read."""


@click.command("find", epilog="Exit code: 0 if anything was found, 1 if not.")
@click.argument("words")
@data_option
def find(words: str, data: Path | None) -> int:
    """Show the players and games with an id, a name or a mail address."""
    with acting(data) as games, games.engine.connect() as db:
        players, tables = find_players(db, words), find_games(db, words)
    for player in players:
        say(*_of_player(player))
    for table in tables:
        say(*_of_game(table))
    if not players and not tables:
        complain("nothing was found")
        return WRONG
    return 0


def _of_player(found: FoundPlayer) -> Iterator[str]:
    account = found.account
    yield f"player {account['id']}: {account['name']}"
    yield f"  address      {account['email'] or 'none'}"
    yield f"  since        {account['created_at']:%Y-%m-%d}, reads {account['language']}"
    if account["owner"]:
        yield f"  bot of       {account['owner']}"
    if account["deleted_at"]:
        yield f"  deleted      {account['deleted_at']:%Y-%m-%d}"
    if account["blocked"] is not None:
        yield f"  blocked      {account['blocked']}"
    yield f"  mails        {', '.join(found.mails) or 'reach the player'}"
    yield from _seats(found.seats, "game")
    yield from map(effect_line, found.effects)
    yield from map(act_line, found.acts)


def _of_game(found: FoundGame) -> Iterator[str]:
    game = found.game
    yield f"game {game['id']}: {game['ruleset']}, {game['status']}, {game['access']}"
    yield f"  event        {game['version']}, decision {game['faces']}"
    yield f"  clock        {'yes' if game['timed'] else 'no'}"
    yield from _seats(found.seats, "player")
    yield from map(effect_line, found.effects)
    yield from map(act_line, found.acts)


def _seats(seats: Any, other: str) -> Iterator[str]:
    for seat in seats:
        about = [each for each in ("host", "blocked", "unreachable") if seat[each]]
        if seat["awaited"]:
            about.append(f"asked since {seat['since']:%Y-%m-%d %H:%M}")
            about.append(f"until {seat['deadline']:%Y-%m-%d %H:%M}" if seat["deadline"] else "without a deadline")
        name = f" {seat['name']}" if other == "player" else f" {seat['status']}"
        yield f"  seat {seat['seat']}       {other} {seat[other]}{name}{''.join(f', {each}' for each in about)}"


def effect_line(row: Row) -> str:
    """Return the line of an outbox row."""
    state = "late" if row["late"] else row["state"]
    game = f", game {row['game']}" if row["game"] else ""
    why = f", {row['last_error']}" if row["last_error"] else ""
    due = f"{row['due_at']:%Y-%m-%d %H:%M}"
    return f"  effect {row['id']}: {row['kind']}, {state}, due {due}, attempts {row['attempts']}{game}{why}"


def act_line(event: OperatorEvent) -> str:
    """Return the line of an act of an operator."""
    subject = f"{event.subject_kind} {event.subject}"
    return f"  {event.at:%Y-%m-%d %H:%M} {event.actor} {event.act} {subject}: {event.reason}"


@click.group("outbox")
def outbox() -> None:
    """Look after the effects that have to happen: mails, moves of the service, webhooks, seals."""


@outbox.command("list")
@data_option
def list_rows(data: Path | None) -> int:
    """List what is dead, or has been due for more than ten minutes; the longest overdue comes first."""
    with acting(data) as games, games.engine.connect() as db:
        rows = troubled_effects(db)
    say(*map(effect_line, rows) if rows else ["nothing is dead or late"])
    return 0


@outbox.command("run")
@click.argument("row", type=int)
@reason_option
@data_option
def run_row(row: int, reason: str, data: Path | None) -> int:
    """Have an effect carried out at once, with all its attempts before it."""
    with acting(data) as games:
        kind = operators.run_effect(games, row, operator_here(reason), clock.now(), RETRY_WAIT_S)
    say(f"effect {row} ({kind}) is due now")
    return 0


@outbox.command("drop")
@click.argument("row", type=int)
@reason_option
@data_option
def drop_row(row: int, reason: str, data: Path | None) -> int:
    """Have an effect never carried out. A game whose move is dropped waits until somebody acts."""
    with acting(data) as games:
        kind = operators.drop_effect(games, row, operator_here(reason), clock.now(), RETRY_WAIT_S)
    say(f"effect {row} ({kind}) is dropped")
    return 0


@click.command("log")
@click.option("--last", default=50, show_default=True, type=click.IntRange(1, 10_000), help="how many acts")
@data_option
def log(last: int, data: Path | None) -> int:
    """Show the last acts of operators, the newest first."""
    with acting(data) as games, games.engine.connect() as db:
        say(*map(act_line, latest_operator_acts(db, last)))
    return 0
