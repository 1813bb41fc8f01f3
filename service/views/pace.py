"""Clocks, absences, agreements and substitutes of a table, as JSON types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, text

from service.log.absences import MOST_DAYS_IN_A_YEAR, day_of, days_of, in_a_year, last_day
from service.log.agreement import pause_proposal, players_there
from service.log.clocks import Clocks, Pause
from service.log.recorded import instant, milliseconds
from service.rules.pace import Pace, pace_name
from service.store import events, pace, play
from service.store.access import PlayerRow
from service.store.games import Position
from service.store.lobby import SeatRequest
from service.store.pace import AbsenceRow
from service.store.play import TakeBackRequest
from service.texts.games import pace_text
from service.texts.names import display_name

# Pace and clocks.

_UNITS: Final = (("H", 3600), ("M", 60), ("S", 1))
_DAY: Final = 86_400


def duration(seconds: int) -> str:
    """Return a duration in ISO 8601: `P1DT12H`."""
    days, rest = divmod(seconds, _DAY)
    times = ""
    for unit, length in _UNITS:
        number, rest = divmod(rest, length)
        times += f"{number}{unit}" if number else ""
    day = f"{days}D" if days else ""
    return f"P{day}T{times}" if times else f"P{day}" if day else "PT0S"


def shown_pace(pace: Pace | None, language: str) -> dict[str, Any] | None:
    """Return the pace of a table, with a sentence in the language; None for none."""
    if pace is None:
        return None
    times = {name: duration(getattr(pace, name)) for name in ("free", "bank", "credit", "cap")}
    return {"name": pace_name(pace), **asdict(pace), **times, "text": pace_text(language, pace)}


def shown_stored_pace(stored: Mapping[str, Any] | None, language: str) -> dict[str, Any] | None:
    """Return the pace of a row of `game`, as `shown_pace`."""
    return None if stored is None else shown_pace(Pace(**stored), language)


def shown_clock(position: Position) -> dict[str, Any] | None:
    """Return the clocks of the seats as of the last event; None without a clock, and before the game."""
    clocks = position.clocks
    if clocks is None:
        return None
    return {
        "paused_until": None if clocks.paused is None else instant(clocks.paused.until).isoformat(),
        "seats": [_seat(clocks, seat, seat in position.stood_in) for seat in range(len(clocks.banks))],
    }


def _seat(clocks: Clocks, seat: int, stood_in: bool) -> dict[str, Any]:
    deadline, away = clocks.deadline(seat), clocks.away.get(seat)
    return {
        "seat": seat,
        "deadline": None if deadline is None else instant(deadline).isoformat(),
        "bank": duration(clocks.banks[seat] // 1000),
        "absent": seat in clocks.absent,
        "away_until": None if away is None else instant(away).isoformat(),
        "stood_in": stood_in,
    }


# Absences: a player's own, and those of a table's players (T-20).

View = dict[str, Any]


def absences_of(db: Connection, player: PlayerRow, now: datetime) -> View:
    """Return the player's absences, latest first, and the days left of twelve months' allowance."""
    rows, zone = pace.absences_of_player(db, player.id), ZoneInfo(player.time_zone)
    days = in_a_year(days_of([row.span for row in rows], zone), now.astimezone(zone).date())
    return {
        "items": [shown_absence(row, zone, now) for row in reversed(rows)],
        "days_left": max(0, MOST_DAYS_IN_A_YEAR - days),
    }


def shown_absence(row: AbsenceRow, zone: ZoneInfo, now: datetime) -> View:
    """Return an absence as JSON types, its first and last day in the zone."""
    span = row.span
    return {
        "id": str(row.id),
        "from": day_of(span.begins, zone).isoformat(),
        "until": last_day(span, zone).isoformat(),
        "begins": row.begins.astimezone(UTC).isoformat(),
        "ends": row.ends.astimezone(UTC).isoformat(),
        "state": "over" if row.ends <= now else "begun" if row.begins <= now else "announced",
    }


def away_until(db: Connection, position: Position, viewer: int | None, now: datetime) -> Mapping[int, datetime]:
    """Return the absent players' seats in a running game, and the ends, as the viewer may know (T-20).

    With a clock they are in the log, for all who see the game. Without, one statement reads them, for players only.
    """
    if position.game.status != "running":
        return {}
    if position.clocks is None:
        return {} if viewer is None else pace.away_in(db, position.game.id, now)
    return {seat: instant(until) for seat, until in sorted(position.clocks.away.items())}


# Agreements: pauses, and requests for take-backs.


def pause_state(position: Position, now: datetime) -> View:
    """Return the proposed and the current pause, None without one."""
    clocks = position.clocks
    if clocks is None or position.game.status != "running":
        return {"proposed": None, "paused": None}
    proposed = pause_proposal(clocks, milliseconds(now))
    return {
        "proposed": None if proposed is None else _pause(position, proposed),
        "paused": None if clocks.paused is None else _pause(position, clocks.paused),
    }


def standing_request(db: Connection, position: Position, now: datetime) -> View | None:
    """Return the standing request for a take-back, None without one."""
    asked = play.standing_take_back_request(db, position, now)
    if asked is None:
        return None
    (first,) = events.read(db, position.codec, position.game.id, asked.first - 1, asked.first)
    return take_back_request(position, asked, first.decision)


def take_back_request(position: Position, asked: TakeBackRequest, decision: int) -> View:
    """Return a standing request as JSON types; `decision` is the one that the action answered."""
    clocks = position.clocks
    return {
        "first": asked.first,
        "seat": asked.seat,
        "decision": decision,
        "asked_at": asked.asked_at.isoformat(),
        "until": None if clocks is None else instant(play.take_back_request_ends(clocks, asked)).isoformat(),
        **_consent(position, asked.agreed, {asked.seat}),
    }


def _pause(position: Position, pause: Pause) -> View:
    return {
        "seat": pause.seat,
        "until": instant(pause.until).isoformat(),
        **_consent(position, pause.agreed, pause.agreed),
    }


def _consent(position: Position, agreed: Iterable[int], not_asked: Iterable[int]) -> View:
    missing = players_there(position.folded) - {*agreed} - {*not_asked}
    return {"agreed": sorted(agreed), "missing": sorted(missing)}


# Players of a seat: present, former, and those who request it.

_OPEN = text("""
select r.id, r.game_id, r.seat, r.player_id, r.created_at, p.name
from seat_request r join player p on p.id = r.player_id
where r.game_id = :game and r.answer is null and r.seat = any(:seats)
  and (cast(:player as uuid) is null or r.player_id = :player)
order by r.created_at, r.id
""")
_FORMER = text("""
select f.seat, f.until_seq, p.name from former_player f join player p on p.id = f.player_id
where f.game_id = :game order by f.until_seq
""")


@dataclass(frozen=True, slots=True)
class FormerPlayer:
    """A former player of a seat, by the shown name; `until` as in HandedOver."""

    seat: int
    until: int
    name: str


def former_players(db: Connection, position: Position, language: str) -> list[FormerPlayer]:
    """Return the former players of a game's seats, in the order of leaving."""
    if not position.former:
        return []
    rows = db.execute(_FORMER, {"game": position.game.id})
    return [FormerPlayer(row.seat, row.until_seq, display_name(row.name, language)) for row in rows]


def played_by(position: Position) -> list[dict[str, Any]]:
    """Return who plays each seat, or played it at the end, and the events of its hand-overs, as JSON types.

    `player` has sat there from the beginning; `substitute` has taken the seat over; `stand-in` is the service, for a
    player who has resigned or is absent.
    """
    return [
        {
            "seat": seat,
            "by": _who(position, seat),
            "handed_over": [each.until for each in position.former if each.seat == seat],
        }
        for seat in range(position.game.seats)
    ]


def seat_request(asked: SeatRequest, name: str, *, mine: bool = True) -> dict[str, Any]:
    """Return a request as JSON types; `name` is the shown name of its player."""
    return {
        "id": str(asked.id),
        "seat": asked.seat,
        "name": name,
        "mine": mine,
        "created_at": asked.created_at.isoformat(),
    }


def seat_requests(db: Connection, position: Position, reader: PlayerRow) -> list[dict[str, Any]]:
    """Return the open requests: all for a player of the game, their own for others."""
    seats = sorted(position.unattended)
    if not seats:
        return []
    whose: UUID | None = None if position.seat_of(reader.id) is not None else reader.id
    values = {"game": position.game.id, "seats": seats, "player": whose}
    return [
        seat_request(
            SeatRequest(row.id, row.game_id, row.seat, row.player_id, row.created_at),
            display_name(row.name, reader.language),
            mine=row.player_id == reader.id,
        )
        for row in db.execute(_OPEN, values)
    ]


def _who(position: Position, seat: int) -> str:
    if seat in position.stood_in:
        return "stand-in"
    return "substitute" if any(each.seat == seat for each in position.former) else "player"
