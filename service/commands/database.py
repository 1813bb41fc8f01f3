"""What commands have in common that work on a database: the option --data, and sentences for what can be wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import click
from sqlalchemy.exc import DBAPIError

from service.commands.installed import installed_rulesets
from service.commands.refused import CANNOT, Refused
from service.commands.terminal import complain
from service.handlers.refusals import Unavailable
from service.local.environment import settings_of
from service.runtime import shelf
from service.settings import BadSetting
from service.store.archived import ArchiveUnreadable
from service.store.game_row import UnknownGame
from service.store.games import Games

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
data_option: Decorator = click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="use the database of the `boardroom up` that runs on this folder, and not DATABASE_URL",
)
_RULESETS = "select id, ruleset from game where id = any(%s)"


@contextmanager
def opened_games(data: Path | None = None, code: int = CANNOT) -> Iterator[Games]:
    """Open the games of the database of the folder, or of DATABASE_URL.

    Refused, with the exit code, when the settings are wrong, the database does not answer, or there is no such game.
    """
    try:
        settings = settings_of(data)
        installed_rulesets()
        with shelf(settings) as games:
            yield games
    except BadSetting as refusal:
        raise Refused(str(refusal), code) from refusal
    except UnknownGame as unknown:
        raise Refused(f"there is no game {unknown}", code) from unknown
    except DBAPIError as error:
        raise _unanswered(error, code) from error
    except ArchiveUnreadable as error:
        raise Refused(f"{error}; look at ARCHIVE and at what is there", code) from error
    except Unavailable as error:
        raise _unanswered(error.__cause__, code) from error
    except Refused as refusal:
        raise Refused(str(refusal), code) from refusal


def _unanswered(error: BaseException | None, code: int) -> Refused:
    why = " ".join(str(error.orig if isinstance(error, DBAPIError) else "it takes too long").split())
    return Refused(f"the database cannot be asked ({why}); look at DATABASE_URL, or use --data", code)


def without_rules(games: Games, wanted: Sequence[UUID]) -> set[UUID]:
    """Return the games whose rules are not installed here, and say on stderr that they were not checked."""
    with games.engine.connect() as db:
        rows = db.exec_driver_sql(_RULESETS, (list(wanted),)).all()
    missing = {row.id: row.ruleset for row in rows if row.ruleset not in games.rulesets}
    for game, ruleset in missing.items():
        say_unchecked(game, f"the rules of {ruleset} are not installed here")
    return set(missing)


def say_unchecked(game: UUID, reason: object) -> None:
    """Say on stderr that a game was not checked, since its rules are not installed here."""
    complain(f"game {game}: not checked, since {reason} (RULESET_PACKAGES)")
