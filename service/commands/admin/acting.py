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
from service.commands.refused import WRONG, Refused
from service.handlers.refusals import BadAnnouncement, CannotHandOver, EffectBusy, UnknownSubject
from service.store.games import Games
from service.store.operator_log import Operator
from service.views.found import find_players

LONGEST_REASON = 500
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
    if not value.strip() or len(value) > LONGEST_REASON:
        raise click.BadParameter(f"it has to have 1 to {LONGEST_REASON} letters")
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


def one_player(games: Games, words: str) -> UUID:
    """Return the only player with this id, address or name; Refused if there is none, or more than one."""
    with games.engine.connect() as db:
        found = find_players(db, words)
    if len(found) != 1:
        many = (
            f"{len(found)} accounts have this name; use an id: {', '.join(str(each.account['id']) for each in found)}"
        )
        raise Refused(many if found else "there is no such account", WRONG)
    player: UUID = found[0].account["id"]
    return player
