"""`boardroom export`: writes the records of finished games, each to a file of its own or all into one."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from gzip import GzipFile
from io import BufferedIOBase
from pathlib import Path
from typing import Final
from uuid import UUID

from sqlalchemy.exc import DBAPIError

from service.audit.log import Altered, NoChain
from service.commands.terminal import complain
from service.handlers.refusals import NotOver
from service.local.environment import add_data, settings_of
from service.runtime import shelf
from service.settings import BadSetting
from service.store.game_row import UnknownGame
from service.store.games import Games
from service.views.record import record_text

CANNOT: Final = 2
_OVER = """
select id from game g where origin = 'here' and (status = 'finished' and head is not null
  or status = 'cancelled' and lobby is not null)
"""
_ALL = f"{_OVER} order by id"
# The same that a stranger may look at.
_PUBLIC = f"{_OVER} and access = 'public' and spectators order by id"

Write = Callable[[UUID, bytes], object]


def main(words: list[str]) -> int:
    """Run the command line; returns 0 if all is written, 1 if a game was altered, 2 if it cannot be done."""
    asked = _parser().parse_args(words)
    try:
        with shelf(settings_of(asked.data)) as games, _place(asked.out) as write:
            return _written(games, asked.games or _wanted(games, asked.public), write)
    except (BadSetting, OSError) as refusal:
        complain(f"boardroom: {refusal}")
    except DBAPIError as error:
        complain(f"boardroom: the database cannot be asked: {' '.join(str(error.orig).split())}")
    except UnknownGame as unknown:
        complain(f"boardroom: there is no game {unknown}")
    except NotOver as running:
        complain(f"boardroom: game {running} is not over, and has no record yet")
    return CANNOT


def _written(games: Games, wanted: Sequence[UUID], write: Write) -> int:
    altered = written = 0
    for game in wanted:
        try:
            write(game, _record(games, game))
            written += 1
        except NoChain:
            complain(f"game {game}: it began before there were records")
        except Altered as found:
            complain(f"game {game}: {found}")
            altered += 1
    complain(f"records written: {written}")
    return 1 if altered else 0


def _record(games: Games, game: UUID) -> bytes:
    with games.engine.connect() as db:
        # A record holds everything, so there is none before the end.
        if games.unfolded(db, game).game.status not in ("finished", "cancelled"):
            raise NotOver(game)
        return record_text(db, games, game)


def _wanted(games: Games, public: bool) -> list[UUID]:
    with games.engine.connect() as db:
        return list(db.exec_driver_sql(_PUBLIC if public else _ALL).scalars())


@contextmanager
def _place(out: Path) -> Iterator[Write]:
    """Open what is written to: one file for all, or a folder with a file for each."""
    if out.suffix not in (".gz", ".jsonl"):
        out.mkdir(parents=True, exist_ok=True)
        yield lambda game, record: (out / f"{game}.jsonl").write_bytes(record)
        return
    with _opened(out) as file:
        yield lambda _, record: file.write(record)


def _opened(out: Path) -> BufferedIOBase:
    # Without a moment in it: the same games make the same file.
    return GzipFile(out, "wb", mtime=0) if out.suffix == ".gz" else out.open("wb")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="boardroom export",
        description="Write the records of finished games from the database at DATABASE_URL. Nobody's name is in them.",
        epilog="Exit code: 0 if all are written, 1 if a game was altered and has none, 2 if it cannot be done.",
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("games", nargs="*", type=UUID, metavar="GAME", default=[], help="a game's id")
    which.add_argument("--all", action="store_true", help="every game that is over or was called off")
    which.add_argument("--public", action="store_true", help="of those all that anybody may look at")
    parser.add_argument(
        "--out", type=Path, required=True, help="a folder, or one file for all: FILE.jsonl or FILE.jsonl.gz"
    )
    add_data(parser)
    return parser
