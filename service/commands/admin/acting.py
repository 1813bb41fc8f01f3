"""What the commands of operators share: the options --reason and --data, who acts, and sentences for refusals."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import click

from service.commands.database import opened_games
from service.commands.terminal import WRONG, Refused, say
from service.handlers.refusals import BadAnnouncement, CannotHandOver, EffectBusy, UnknownSubject
from service.shared import clock
from service.store.games import Games
from service.store.operation import Operator
from service.views.operation import Row, named_account

MAX_REASON_LENGTH = 500
_WHY = {
    "host": "that player is the host already",
    "cancelled": "the game was called off",
    "player": "that player does not sit at the table, has given up, or is blocked",
    "order": "the table is open, and its record proves that the host is the player who has been there longest: "
    "only the next one by that order can become the host",
    "span": "maintenance has to end after it begins, and after now",
    "texts": "maintenance is announced in every language: --text en=... --text de=... --text fr=...",
}


def _reason(_: click.Context, __: click.Parameter, value: str) -> str:
    if not value.strip() or len(value) > MAX_REASON_LENGTH:
        raise click.BadParameter(f"it has to have 1 to {MAX_REASON_LENGTH} letters")
    return value.strip()


reason_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--reason", required=True, callback=_reason, help="why; those concerned see it, so name nobody else in it"
)


def operator_here(reason: str) -> Operator:
    """Return who acts: the user of this machine."""
    return Operator(f"shell:{getpass.getuser()}", reason)


@contextmanager
def acting(data: Path | None) -> Iterator[Games]:
    """Open the games for an act; Refused with a sentence where it cannot be done."""
    with opened_games(data, WRONG) as games:
        try:
            yield games
        except UnknownSubject as unknown:
            raise Refused("there is nothing of the kind, or it is not as this act needs it", WRONG) from unknown
        except EffectBusy as busy:
            todo = "Try again in a minute; if that does not help, end the worker with SIGKILL: then it can be dropped"
            raise Refused(f"a worker is carrying it out at this moment. {todo}", WRONG) from busy
        except (CannotHandOver, BadAnnouncement) as refusal:
            raise Refused(_WHY[refusal.why], WRONG) from refusal


yes_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--yes", is_flag=True, help="do not ask whether it is the right one; for scripts"
)


def chosen_account(games: Games, words: str, act: str, sure: bool) -> UUID:
    """Return the account with this id or verified address, once it was shown and the act confirmed.

    Refused for all other words: a name, or an address that nobody has verified, is what its player wants it to be.
    """
    with games.engine.connect() as db:
        found = named_account(db, words)
    if found is None:
        raise Refused(
            "no account has this id, or has verified this address; `boardroom admin find` shows ids by name", WRONG
        )
    say(*_lines(found))
    confirm(sure, f"{act} this account?")
    player: UUID = found["id"]
    return player


def confirm(sure: bool, question: str) -> None:
    """Ask whether the act is meant, unless that is sure; without an answer nothing is done."""
    if not sure:
        click.confirm(question, abort=True)


def _lines(account: Row) -> Iterator[str]:
    now, since = clock.now(), account["created_at"]
    verified = "verified" if account["email_verified"] else "not verified"
    games = f"{account['playing']} open or running, {account['finished']} finished"
    yield f"account {account['id']}"
    yield f"  name         {account['name']}"
    yield f"  address      {account['email']}, {verified}" if account["email"] else "  address      none"
    yield f"  since        {since:%Y-%m-%d}, {(now - since).days} days ago"
    yield f"  games        {games}; bots: {account['bots']}"
    if account["owner"]:
        yield f"  bot of       {account['owner']}"
    if account["operator"]:
        yield "  role         operator"
    if account["blocked"] is not None:
        yield f"  blocked      {account['blocked']}"
