"""Whether the archive can be read, and has the record of a game whose log is there alone."""

from __future__ import annotations

from typing import Any, Final, Literal

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from service.archive.archive import open_archive
from service.settings import Settings
from service.store.engine import build_engine

_ARCHIVED: Final = text("select game_id, count(*) over () as games from archived order by at desc limit 1")


Found = tuple[Literal["ok", "fail"], str, str]


def look_at_archive(settings: Settings) -> Found | None:
    """Return how good the archive is, what was found, and what to do.

    None if there is none, or if the database does not answer, of which another check tells.
    """
    engine = build_engine(settings.database_url, pooler=settings.pooler)
    try:
        with engine.connect() as db:
            last = db.execute(_ARCHIVED).one_or_none()
    except SQLAlchemyError:
        return None
    finally:
        engine.dispose()
    if settings.archive is not None:
        return _of_place(settings.archive, last)
    if last is None:
        return None
    return "fail", f"has the logs of {last.games} games, and ARCHIVE is not set", "Set it as the relay has it."


def _of_place(address: str, last: Any) -> Found:
    if last is None:
        return "ok", f"{address} takes copies; all logs are in the database", ""
    try:
        there = open_archive(address).holds(last.game_id)
    except OSError as error:
        return "fail", f"cannot be read ({error})", "Look at ARCHIVE, and at the server that it is on."
    if not there:
        todo = "Look whether ARCHIVE is that of the relay; if it is, put the file back from a copy."
        return "fail", f"has no record of game {last.game_id}, whose log is not in the database", todo
    return "ok", f"{address} has the logs of {last.games} games", ""
