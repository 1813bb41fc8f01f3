"""Commands on a database: rebuild, ratings, export, import, unarchive; with what all such commands share (--data)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from gzip import GzipFile
from io import BufferedIOBase, BufferedWriter
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import click
from sqlalchemy.exc import DBAPIError

from service.audit.log import Altered, NoChain
from service.commands.rulesets import installed_rulesets
from service.commands.terminal import CANNOT, WRONG, Refused, complain, exit_code, in_words, progress, say
from service.handlers.import_record import import_record, obstacle
from service.handlers.pace import restore_all_waiting
from service.handlers.refusals import NotOver, Unavailable
from service.handlers.results import doubted, how_many, keep_all, rebuild
from service.handlers.transaction import transaction
from service.local.environment import settings_of
from service.record.reading import RulesMissing, read, records_in
from service.record.verify import verify
from service.runtime import shelf
from service.settings import BadSetting
from service.shared import clock
from service.store.game_row import UnknownGame
from service.store.game_row import read_game_row as game_row_read
from service.store.games import Games
from service.store.proof import ArchiveUnreadable, archived_log, unarchive_log
from service.views.record import record_text

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
data_option: Decorator = click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="use the database of the `boardroom up` that runs on this folder, and not DATABASE_URL",
)
_RULESETS_OF_GAMES = "select id, ruleset from game where id = any(%s)"
_FINISHED: Final = """
select id from game g where origin = 'here' and (status = 'finished' and head is not null
  or status = 'cancelled' and lobby is not null)
"""
_ALL_FINISHED = f"{_FINISHED} order by id"
# Of those the ones that a stranger may look at.
_PUBLIC_FINISHED = f"{_FINISHED} and access = 'public' and spectators order by id"


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
        raise _no_answer(error, code) from error
    except ArchiveUnreadable as error:
        raise Refused(f"{error}; look at ARCHIVE and at what is there", code) from error
    except Unavailable as error:
        raise _no_answer(error.__cause__, code) from error
    except Refused as refusal:
        raise Refused(str(refusal), code) from refusal


def _no_answer(error: BaseException | None, code: int) -> Refused:
    why = " ".join(str(error.orig if isinstance(error, DBAPIError) else "it takes too long").split())
    return Refused(f"the database cannot be asked ({why}); look at DATABASE_URL, or use --data", code)


def without_rules(games: Games, wanted: Sequence[UUID]) -> set[UUID]:
    """Return the games whose rules are not installed here, and say on stderr that they were not checked."""
    with games.engine.connect() as db:
        rows = db.exec_driver_sql(_RULESETS_OF_GAMES, (list(wanted),)).all()
    missing = {row.id: row.ruleset for row in rows if row.ruleset not in games.rulesets}
    for game, ruleset in missing.items():
        say_unchecked(game, f"the rules of {ruleset} are not installed here")
    return set(missing)


def say_unchecked(game: UUID, reason: object) -> None:
    """Say on stderr that a game was not checked, since its rules are not installed here."""
    complain(f"game {game}: not checked, since {reason} (RULESET_PACKAGES)")


@click.command("rebuild", epilog="Exit code: 0 if all of it is done, 1 if not.")
def rebuild_command() -> int:
    """Work out anew, from the logs of the games in the database at DATABASE_URL, what is kept next to them."""
    with opened_games(code=WRONG) as games:
        count = restore_all_waiting(games)
        keep_all(games)
    say(f"Worked out anew: {count}")
    return 0


@click.group("ratings")
def ratings_command() -> None:
    """Look after the ratings, which follow from the log of results alone."""


@ratings_command.command(
    "rebuild", epilog="Exit code: 0 if all was kept as the log says, 1 if something was mended or failed."
)
def rebuild_ratings() -> int:
    """Work out all ratings anew from the log of results in the database at DATABASE_URL, and mend what is otherwise.

    No result is written meanwhile.
    """
    with opened_games(code=WRONG) as games, progress("results", how_many(games)) as step:
        done = rebuild(games, step)
    say(f"Results: {done.results}", f"Ratings: {done.ratings}", f"Mended: {done.mended}")
    return WRONG if done.mended else 0


@ratings_command.command("doubtful")
def list_doubtful() -> int:
    """List the players with the most doubtful results of four weeks that they did not lose (docs/ratings.md, P-19).

    Somebody with many of them and few opponents may have made these accounts.
    """
    with opened_games(code=WRONG) as games, games.engine.connect() as db:
        found = doubted(db, clock.now())
    say(
        *(
            f"{each.player}  {each.name}: {each.games} results, {each.points} points, {each.opponents} opponents"
            for each in found
        )
    )
    if not found:
        say("Nobody has gained by five doubtful results or more.")
    return 0


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
def export_command(games: Sequence[UUID], every: bool, public: bool, out: Path, data: Path | None) -> int:
    """Write the records of finished games (by their ids, or --all, or --public) from the database at DATABASE_URL.

    Nobody's name is in them.
    """
    if bool(games) + every + public != 1:
        raise click.UsageError("Name games by their ids, or use one of --all and --public.")
    try:
        with opened_games(data) as shelf:
            wanted = list(games) or _finished_games(shelf, public)
            if not wanted:
                complain("no game is over yet: nothing was written")
                return 0
            with _opened_output(out) as write:
                return _write_records(shelf, wanted, write)
    except OSError as refusal:
        raise Refused(in_words(refusal)) from refusal
    except NotOver as running:
        raise Refused(f"game {running.members['game']} is not over, and has no record yet") from running


def _write_records(games: Games, wanted: Sequence[UUID], write: Write) -> int:
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


def _finished_games(games: Games, public: bool) -> list[UUID]:
    with games.engine.connect() as db:
        return list(db.exec_driver_sql(_PUBLIC_FINISHED if public else _ALL_FINISHED).scalars())


@contextmanager
def _opened_output(out: Path) -> Iterator[Write]:
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


@click.command(
    "import",
    epilog="Exit code: 0 if all of them are here now, 1 if one does not hold, 2 if it cannot be done, 3 if the rules "
    "of one are not installed here (RULESET_PACKAGES).",
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@data_option
def import_command(files: Sequence[Path], data: Path | None) -> int:
    """Verify records (.jsonl or .jsonl.gz), and make games of them in the database at DATABASE_URL.

    Everybody can look at these games, which are marked as foreign.
    """
    came_to: Counter[bool | None] = Counter()
    try:
        with opened_games(data) as games:
            for path in files:
                for begin, record in records_in(path):
                    came_to[_import_record(games, path, begin, record)] += 1
    except OSError as error:
        raise Refused(in_words(error)) from error
    except ValueError as error:
        raise Refused(str(error)) from error
    return exit_code(came_to[False], came_to[None])


def _import_record(games: Games, path: Path, begin: int, data: bytes) -> bool | None:
    """Return whether the game is here now; None if its rules are not installed, so that nobody can check it.

    Its seal may be missing.
    """
    report = verify(data, games.rulesets)
    for finding in report.findings:
        if finding.holds is False or (finding.holds is None and finding.level == "rules"):
            complain(f"{path}: line {begin - 1 + (finding.line or 1)}: {finding.said}")
    if not report.holds:
        return report.holds
    lines = read(data)
    against = obstacle(lines)
    if against is not None:
        complain(f"{path}: {against}")
        return False
    game, new = import_record(games, lines)
    say(f"{path}: game {game}{'' if new else ' was here already'}")
    return True


@click.command(
    "unarchive",
    epilog="The record stays in the archive. With ARCHIVE_ONLY the game is archived again within the hour: set that to "
    "false before. Exit code: 0 if the logs are in the database, 2 if one cannot be read or is not whole; nothing of "
    "that game was changed then.",
)
@click.argument("games", nargs=-1, required=True, type=click.UUID, metavar="GAME...")
@data_option
def unarchive_command(games: Sequence[UUID], data: Path | None) -> int:
    """Take the logs of archived games (by their ids) into the database at DATABASE_URL again."""
    with opened_games(data) as shelf:
        for game in games:
            say(f"game {game}: {_unarchive_game(shelf, game)}")
    return 0


def _unarchive_game(shelf: Games, game: UUID) -> str:
    with transaction(shelf.engine) as db:
        game_row_read(db, game)
        rows = archived_log(db, game)
        if rows is None:
            return "its log is in the database already"
        if not unarchive_log(db, game, rows):
            raise Refused(f"the log of game {game} in the archive is not that of the game")
        return f"its log of {len(rows)} events is in the database again"
