"""`boardroom audit`: checks games in the database again by their chains, seals and rules, and the roots of days."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from service.audit.days import altered_days, altered_keys
from service.audit.derived_tables import Discrepancy, discrepancies
from service.audit.inspect import examine
from service.audit.log import Altered, NoChain
from service.commands.terminal import complain, say
from service.local.environment import add_data, settings_of
from service.runtime import shelf
from service.settings import BadSetting
from service.store.game_row import UnknownGame
from service.store.games import Games

CANNOT: Final = 2
_PROGRESS: Final = 100
_WANTED = """
select id from game g
where %(since)s::timestamptz is null
   or %(since)s <= (select at from event e where (e.game_id, e.seq) = (g.id, g.version))
   or (version = 0 and %(since)s <= coalesce((select max(at) from lobby_event l where l.game_id = g.id), created_at))
order by case when %(sample)s::integer is null then 0 else random() end, id limit %(sample)s
"""


@dataclass(slots=True)
class Audited:
    """What came of it: how many games and events hold, how many have no chain, which games, days and keys are wrong."""

    games: int = 0
    events: int = 0
    unchained: int = 0
    altered: list[tuple[UUID, Altered]] = field(default_factory=list)
    days: list[date] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


def main(words: list[str]) -> int:
    """Run the command line; returns 0 if all hold, 1 if something is wrong, 2 if it cannot be looked at."""
    asked = _parser().parse_args(words)
    try:
        settings = settings_of(asked.data)
        with shelf(settings) as games:
            found = _found(games, asked)
    except BadSetting as refusal:
        complain(f"boardroom: {refusal}")
        return CANNOT
    except UnknownGame as unknown:
        complain(f"boardroom: there is no game {unknown}")
        return CANNOT
    except DBAPIError as error:
        complain(f"boardroom: the database cannot be asked: {' '.join(str(error.orig).split())}")
        return CANNOT
    say(*(json.dumps(_as_json(found), indent=1).split("\n") if asked.json else _in_words(found)))
    return 1 if found.altered or found.days or found.keys else 0


def _found(games: Games, asked: argparse.Namespace) -> Audited:
    with games.engine.connect() as db:
        wanted = asked.games or _wanted(db, asked.since, asked.sample)
        strays = discrepancies(db, asked.games or None)
    if not (asked.games or asked.since or asked.sample):
        # Some would not be looked for, because their rows are missing.
        wanted = [*wanted, *(strays.keys() - set(wanted))]
    found = audit(games, wanted, strays)
    if not asked.games:
        with games.engine.connect() as db:
            found.days += altered_days(db)
            found.keys += altered_keys(db)
    return found


def audit(games: Games, wanted: Sequence[UUID], strays: Mapping[UUID, Discrepancy]) -> Audited:
    """Check games one after the other, and say on stderr how far it is; UnknownGame.

    `strays` is what is known to be wrong with some before they are looked at.
    """
    found = Audited()
    for number, game in enumerate(wanted, 1):
        try:
            if game in strays:
                raise Altered(strays[game].seq, strays[game].wrong)
            with games.engine.connect() as db:
                found.events += examine(db, games, game)
            found.games += 1
        except NoChain:
            found.unchained += 1
        except Altered as altered:
            found.altered.append((game, altered))
        if number % _PROGRESS == 0 or number == len(wanted):
            complain(f"{number} of {len(wanted)} games")
    return found


def _wanted(db: Connection, since: datetime | None, sample: int | None) -> list[UUID]:
    return list(db.exec_driver_sql(_WANTED, {"since": since, "sample": sample}).scalars())


def _in_words(found: Audited) -> list[str]:
    wrong = [f"game {game}: {altered}" for game, altered in found.altered]
    wrong += [f"key {key}: its name or its span is another one" for key in found.keys]
    wrong += [f"day {day.isoformat()}: its seals do not come to its root" for day in found.days]
    chainless = f"; without a chain: {found.unchained}" if found.unchained else ""
    held = f"games that hold: {found.games}, with {found.events} events{chainless}"
    return [*wrong, held, *([f"games that do NOT hold: {len(found.altered)}"] if found.altered else [])]


def _as_json(found: Audited) -> dict[str, Any]:
    wrong = [{"game": str(game), "event": altered.seq, "wrong": altered.wrong} for game, altered in found.altered]
    return {
        "games": found.games,
        "events": found.events,
        "unchained": found.unchained,
        "altered": wrong,
        "days": [str(day) for day in found.days],
        "keys": found.keys,
    }


def _day(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="boardroom audit",
        description="Check games in the database at DATABASE_URL again: their chains, seals and rules, and what is "
        "kept beside them. All games, unless some are named or chosen; then also the keys, and the roots of days.",
        epilog="What was altered is told by game and event; 0 is what happened before the first event, or is "
        "kept beside them. Games from before there were chains prove nothing, and are only counted. "
        "Exit code: 0 if all of them hold, 1 if one was altered, 2 if one cannot be looked at.",
    )
    parser.add_argument("games", nargs="*", type=UUID, metavar="GAME", help="a game's id")
    parser.add_argument(
        "--since",
        type=_day,
        metavar="DATE",
        help="only games in which something has happened since, such as 2026-01-31",
    )
    parser.add_argument("--sample", type=int, metavar="N", help="only so many games, drawn at random")
    add_data(parser)
    parser.add_argument("--json", action="store_true", help="print what came of it as JSON")
    return parser
