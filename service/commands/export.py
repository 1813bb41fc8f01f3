"""`boardroom export`: writes the records of finished games, each to a file of its own or all into one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from gzip import GzipFile
from io import BufferedIOBase, BufferedWriter
from pathlib import Path
from typing import Final
from uuid import UUID

import click

from service.audit.log import Altered, NoChain
from service.commands.database import data_option, opened_games, say_unchecked, without_rules
from service.commands.refused import Refused, exit_code, in_words
from service.commands.terminal import complain, progress
from service.handlers.refusals import NotOver
from service.record.reading import RulesMissing
from service.store.games import Games
from service.views.record import record_text

_OVER: Final = """
select id from game g where origin = 'here' and (status = 'finished' and head is not null
  or status = 'cancelled' and lobby is not null)
"""
_ALL = f"{_OVER} order by id"
# Of those the ones that a stranger may look at.
_PUBLIC = f"{_OVER} and access = 'public' and spectators order by id"

Write = Callable[[UUID, bytes], object]


@click.command(
    "export",
    epilog="Exit code: 0 if all are written, 1 if a game was altered and has none, 2 if it cannot be done, 3 if the "
    "rules of a game are not installed here (RULESET_PACKAGES).",
)
@click.argument("games", nargs=-1, type=click.UUID, metavar="[GAME]...")
@click.option("--all", "every", is_flag=True, help="every game that is over or was called off")
@click.option("--public", is_flag=True, help="of those all that anybody may look at")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="PATH",
    help="a folder, or one file for all: FILE.jsonl or FILE.jsonl.gz",
)
@data_option
def command(games: Sequence[UUID], every: bool, public: bool, out: Path, data: Path | None) -> int:
    """Write the records of finished games (by their ids, or --all, or --public) from the database at DATABASE_URL.

    Nobody's name is in them.
    """
    if bool(games) + every + public != 1:
        raise click.UsageError("Name games by their ids, or use one of --all and --public.")
    try:
        with opened_games(data) as shelf:
            wanted = list(games) or _wanted(shelf, public)
            if not wanted:
                complain("no game is over yet: nothing was written")
                return 0
            with _place(out) as write:
                return _written(shelf, wanted, write)
    except OSError as refusal:
        raise Refused(in_words(refusal)) from refusal
    except NotOver as running:
        raise Refused(f"game {running.members['game']} is not over, and has no record yet") from running


def _written(games: Games, wanted: Sequence[UUID], write: Write) -> int:
    altered = written = 0
    unchecked = without_rules(games, wanted)
    with progress("writing records", len(wanted)) as step:
        for game in wanted:
            try:
                if game not in unchecked:
                    write(game, _record(games, game))
                    written += 1
            except NoChain:
                complain(f"game {game}: it began before there were records")
            except RulesMissing as missing:
                say_unchecked(game, missing)
                unchecked.add(game)
            except Altered as found:
                complain(f"game {game}: {found}")
                altered += 1
            step()
    complain(f"records written: {written}")
    return exit_code(altered, unchecked)


def _record(games: Games, game: UUID) -> bytes:
    with games.engine.connect() as db:
        # A record holds everything, so there is none before the end.
        if games.unfolded(db, game).game.status not in ("finished", "cancelled"):
            raise NotOver(game=game)
        return record_text(db, games, game)


def _wanted(games: Games, public: bool) -> list[UUID]:
    with games.engine.connect() as db:
        return list(db.exec_driver_sql(_PUBLIC if public else _ALL).scalars())


@contextmanager
def _place(out: Path) -> Iterator[Write]:
    """Open what is written to: one file for all, or a folder with a file for each.

    The one file takes the place of an older one in the end, and only if nothing was raised.
    """
    if out.suffix not in (".gz", ".jsonl"):
        out.mkdir(parents=True, exist_ok=True)
        yield lambda game, record: (out / f"{game}.jsonl").write_bytes(record)
        return
    part = out.with_name(f"{out.name}.part")
    try:
        with part.open("wb") as plain, _packed(plain, out) as file:
            yield lambda _, record: file.write(record)
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)


def _packed(plain: BufferedWriter, out: Path) -> AbstractContextManager[BufferedIOBase]:
    # Without a time stamp the same games give the same file.
    return GzipFile(out, "wb", fileobj=plain, mtime=0) if out.suffix == ".gz" else nullcontext(plain)
