"""`boardroom audit`: checks games in the database again by their chains, seals and rules, and the roots of days."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import click
from sqlalchemy import Connection

from service.audit.derived_tables import Discrepancy, discrepancies
from service.audit.external_heads import compare_external_heads
from service.audit.inspect import examine
from service.audit.log import Altered, NoChain
from service.audit.seal_roots import altered_days, altered_keys
from service.commands.database import data_option, opened_games, say_unchecked, without_rules
from service.commands.terminal import Refused, exit_code, in_words, progress, say
from service.handlers.results import OTHERWISE, is_kept_otherwise, rated_otherwise
from service.record.external_heads import ExternalHead, read_external_heads
from service.record.reading import RulesMissing
from service.store.games import Games

_WANTED: Final = """
select id from game g
where %(since)s::timestamptz is null
   or %(since)s <= (select at from event e where (e.game_id, e.seq) = (g.id, g.version))
   or %(since)s <= (select ended_at from archived a where a.game_id = g.id)
   or (version = 0 and %(since)s <= coalesce((select max(at) from lobby_event l where l.game_id = g.id), created_at))
order by case when %(sample)s::integer is null then 0 else random() end, id limit %(sample)s
"""


@dataclass(slots=True)
class Audited:
    """The result of an audit: how many games and events hold, and which games, days and keys are wrong.

    `players` have ratings that do not follow from the log of results.

    `unchained` games have no chain, and those that are `unchecked` have rules that are not installed here.
    """

    games: int = 0
    events: int = 0
    unchained: int = 0
    unchecked: int = 0
    altered: list[tuple[UUID, Altered]] = field(default_factory=list)
    players: list[UUID] = field(default_factory=list)
    days: list[date] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


class _Day(click.ParamType[datetime]):
    """A day or a moment in ISO 8601, in UTC unless it says otherwise."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Return the moment; BadParameter."""
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is no date such as 2026-01-31.", param, ctx)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@click.command(
    "audit",
    epilog="What was altered is told by game and event; 0 is what happened before the first event, or is kept next to "
    "them. Games from before there were chains prove nothing, and are only counted. Exit code: 0 if all of them hold, "
    "1 if one was altered, 2 if one cannot be looked at, 3 if none was altered, but the rules of one are not installed "
    "here (RULESET_PACKAGES).",
)
@click.argument("games", nargs=-1, type=click.UUID, metavar="[GAME]...")
@click.option(
    "--since",
    type=_Day(),
    metavar="DATE",
    help="only games in which something has happened since, such as 2026-01-31",
)
@click.option("--sample", type=click.IntRange(1, 2**31 - 1), metavar="N", help="only so many games, drawn at random")
@click.option(
    "--against",
    "kept",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="heads that were kept elsewhere: records, views, answers of /api/v1/games/{id}/proof, or lines with game, "
    "version and head. After a failover or a restore they tell which games have lost moves",
)
@data_option
@click.option("--json", "as_json", is_flag=True, help="print what came of it as JSON")
def command(
    games: Sequence[UUID],
    since: datetime | None,
    sample: int | None,
    kept: Sequence[Path],
    data: Path | None,
    as_json: bool,
) -> int:
    """Check games (by their ids) in the database at DATABASE_URL: chains, seals, rules, and what is kept next to them.

    All games, unless some are named or chosen; then also the ratings, the keys, and the roots of days.
    """
    with opened_games(data) as shelf:
        found = _found(shelf, games, since, sample, kept)
    say(*(json.dumps(_as_json(found), indent=1).split("\n") if as_json else _in_words(found)))
    return exit_code(found.altered or found.players or found.days or found.keys, found.unchecked)


def _found(
    games: Games, named: Sequence[UUID], since: datetime | None, sample: int | None, kept: Sequence[Path]
) -> Audited:
    with games.engine.connect() as db:
        wanted = list(named) or _wanted(db, since, sample)
        strays = discrepancies(db, list(named) or None)
        otherwise = compare_external_heads(
            db, (each for path in kept for each in _heads(path) if not named or each.game in named)
        )
    if not (named or since or sample):
        # Games whose rows are missing have to be looked for, too.
        wanted = [*wanted, *(strays.keys() - set(wanted))]
    wanted = [*wanted, *(otherwise.keys() - set(wanted))]
    strays = {**otherwise, **strays}
    found = audit(games, wanted, strays)
    if not (named or since or sample):
        with games.engine.connect().execution_options(isolation_level="REPEATABLE READ") as db:
            found.players += rated_otherwise(db)
    if not named:
        with games.engine.connect() as db:
            found.days += altered_days(db)
            found.keys += altered_keys(db)
    return found


def _heads(path: Path) -> Iterator[ExternalHead]:
    try:
        yield from read_external_heads(path)
    except OSError as error:
        raise Refused(in_words(error)) from error
    except ValueError as error:
        raise Refused(str(error)) from error


def audit(games: Games, wanted: Sequence[UUID], strays: Mapping[UUID, Discrepancy]) -> Audited:
    """Check games one after the other; UnknownGame.

    `strays` are the discrepancies that are known beforehand.
    """
    unchecked = without_rules(games, [game for game in wanted if game not in strays])
    found = Audited(unchecked=len(unchecked))
    with progress("checking games", len(wanted)) as step:
        for game in wanted:
            if game not in unchecked:
                _examine(games, game, strays, found)
            step()
    return found


def _examine(games: Games, game: UUID, strays: Mapping[UUID, Discrepancy], found: Audited) -> None:
    """Check a game and add the result; UnknownGame."""
    try:
        if game in strays:
            raise Altered(strays[game].seq, strays[game].wrong)
        with games.engine.connect() as db:
            events = examine(db, games, game)
            if is_kept_otherwise(db, games, game):
                raise Altered(events, OTHERWISE)
        found.events += events
        found.games += 1
    except NoChain:
        found.unchained += 1
    except RulesMissing as missing:
        say_unchecked(game, missing)
        found.unchecked += 1
    except Altered as altered:
        found.altered.append((game, altered))


def _wanted(db: Connection, since: datetime | None, sample: int | None) -> list[UUID]:
    return list(db.exec_driver_sql(_WANTED, {"since": since, "sample": sample}).scalars())


def _in_words(found: Audited) -> list[str]:
    wrong = [f"game {game}: {altered}" for game, altered in found.altered]
    wrong += [f"player {each}: ratings are kept otherwise than the log of results says" for each in found.players]
    wrong += [f"key {key}: its name or its span is another one" for key in found.keys]
    wrong += [f"day {day.isoformat()}: its seals do not come to its root" for day in found.days]
    chainless = f"; without a chain: {found.unchained}" if found.unchained else ""
    unchecked = f"; not checked: {found.unchecked}" if found.unchecked else ""
    held = f"games that hold: {found.games}, with {found.events} events{chainless}{unchecked}"
    return [*wrong, held, *([f"games that do NOT hold: {len(found.altered)}"] if found.altered else [])]


def _as_json(found: Audited) -> dict[str, Any]:
    wrong = [{"game": str(game), "event": altered.seq, "wrong": altered.wrong} for game, altered in found.altered]
    return {
        "games": found.games,
        "events": found.events,
        "unchained": found.unchained,
        "unchecked": found.unchecked,
        "altered": wrong,
        "players": [str(each) for each in found.players],
        "days": [str(day) for day in found.days],
        "keys": found.keys,
    }
