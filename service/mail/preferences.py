"""Timing of mails by their player's preferences: now, later, in the digest or never. Quiet hours and digest hours."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, text

from service.handlers.mail_preferences import note_mailed
from service.log.recorded import milliseconds
from service.store import notices, outbox
from service.store.outbox import OutboxRow
from service.store.pace import ABSENCES_COUNT
from service.views.messages import KINDS

UNREACHABLE_RETRY: Final = timedelta(days=1)
"""Wait of a mail to an address that does not work. A new try that the player asks for sends it at once."""
DIGEST: Final = "digest"
"""Kind of the outbox rows of digests."""
IN_DIGEST: Final = "in the digest"
"""Stored as the error of an outbox row that is left to the next digest."""
RETURN_GRACE: Final = timedelta(minutes=5)
"""Time after the return of an absent player at which held mails leave, if not released before."""
PAGE_OPEN: Final = timedelta(seconds=45)
"""Time for which a page counts as open after its last request; a visible page asks every 20 s (table.js)."""
SOLO_AWAY_AFTER: Final = timedelta(hours=1)
"""Time away after which the only person at a table is told of a turn; nobody else waits."""
SEEN_TURN_AGAIN_AFTER: Final = timedelta(days=1)
"""Wait of a turn mail after its player has seen the turn, where others wait and no clock reminds."""
Reason = Literal["muted", "unwanted", "seen", "unconfirmed", "blocked"]

_ASK = """
select p.id as player_id, s.seen, s.looked_at, p.time_zone, p.unreachable, w.delay, w.digest, w.quiet_from, w.quiet_to,
       coalesce(w.unwanted, '{{}}') as unwanted, w.reminders, g.pace is not null as clocked,
       not exists (select from seat o join player other on other.id = o.player_id
                    where o.game_id = :game and other.id <> p.id and other.computer is null) as alone,
       (select e.door in ('link', 'reply') from event e
         where e.game_id = :game and e.seat = s.seat and e.door in ('api', 'web', 'link', 'reply')
         order by e.seq desc limit 1) as by_mail,
       exists (select from mail_mute m where m.game_id = :game and m.player_id = p.id) as muted,
       (select a.ends from absence a where a.player_id = p.id and a.begins <= :now and a.ends > :now) as away_until,
       {holds} as held
from {who} left join mail_wishes w on w.player_id = p.id left join game g on g.id = :game
"""
_ASK_SEAT = text(
    _ASK.format(who="seat s join player p on p.id = s.player_id", holds=ABSENCES_COUNT)
    + "where s.game_id = :game and s.seat = :seat"
)
# A player who was removed from a table has no seat there any more.
_ASK_PLAYER = text(_ASK.format(who="player p left join seat s on false", holds=ABSENCES_COUNT) + "where p.id = :player")


@dataclass(frozen=True, slots=True)
class Now:
    """The mail goes now."""


@dataclass(frozen=True, slots=True)
class Later:
    """The mail is decided on again at a moment."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Never:
    """The mail does not go; the reason is stored with its row."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class InDigest:
    """The digest of a day in the player's calendar, which leaves at a moment, takes the mail's place."""

    player: UUID
    day: date
    at: datetime


def when_due(db: Connection, row: OutboxRow, delay: int) -> Now | Later | Never | InDigest:
    """Decide when the mail of a row goes, as of the moment at which the row was read (`row.read_at`).

    `delay` is the service's default for turn mails, in minutes.

    Only mails about games are delayed: sign-in links, invitations and fresh links always go at once.
    """
    asked = _preferences_of(db, row) if row.kind in KINDS or row.kind == DIGEST else None
    if asked is None:
        return Now()
    if row.kind == DIGEST:
        return _digest_due(asked, row)
    if row.payload.get("asked"):
        return Later(row.read_at + UNREACHABLE_RETRY) if asked.unreachable else Now()
    kind = KINDS[row.kind]
    reason = _unwanted(asked, kind, row)
    return _wanted(asked, kind, row, delay) if reason is None else Never(reason)


def _wanted(asked: Any, kind: str, row: OutboxRow, delay: int) -> Now | Later | InDigest:
    """Decide when a wanted mail goes."""
    now, zone = row.read_at, ZoneInfo(asked.time_zone)
    if asked.away_until is not None and asked.held and (kind == "turn" or asked.digest is not None):
        return Later(asked.away_until + RETURN_GRACE)
    if asked.unreachable:
        return Later(now + UNREACHABLE_RETRY)
    if (until := _present_until(asked, kind, row)) > now:
        return Later(until)
    # Where the terms allow no absence time runs, and a digest would come too late.
    present = asked.digest is not None and asked.away_until is None
    if present and not _is_urgent(row, at := next_at(now, zone, asked.digest)):
        return InDigest(asked.player_id, at.astimezone(zone).date(), at)
    return _single(asked, kind, row, delay)


def due_beside(db: Connection, row: OutboxRow, delay: int) -> Now | Later | Never:
    """Return when a message to a channel goes beside the mail of a row: as a single mail would that reaches its player.

    Whether that mail is wanted, is left to a digest or finds an address does not matter to a channel.
    """
    kind = KINDS.get(row.kind)
    asked = None if kind is None else _preferences_of(db, row)
    if asked is None or kind is None:
        return Now()
    if asked.muted:
        return Never("muted")
    if asked.away_until is not None and asked.held and kind == "turn":
        return Later(asked.away_until + RETURN_GRACE)
    return Never("seen") if _is_seen(asked, kind, row) else _single(asked, kind, row, delay)


def _single(asked: Any, kind: str, row: OutboxRow, delay: int) -> Now | Later:
    """Decide when a single mail goes, by presence at the table, delay and quiet hours."""
    now, zone = row.read_at, ZoneInfo(asked.time_zone)
    at = max(now, _present_until(asked, kind, row))
    if kind == "turn":
        at = max(at, row.added_at + timedelta(minutes=_delay(asked, delay)))
    if asked.quiet_from is not None:
        at = quiet_until(at, zone, asked.quiet_from, asked.quiet_to)
    return Now() if at <= now else Later(at)


def _digest_due(asked: Any, row: OutboxRow) -> Now | Later | InDigest:
    """Decide when a digest goes: for an absent player, as the first digest after the return (T-19)."""
    if asked.away_until is None:
        return Now()
    zone = ZoneInfo(asked.time_zone)
    hour = row.read_at.astimezone(zone).hour if asked.digest is None else asked.digest
    at = next_at(asked.away_until, zone, hour)
    other = InDigest(asked.player_id, at.astimezone(zone).date(), at)
    same = notices.digest(other.player, other.day).dedupe_key == row.dedupe_key
    return Later(at) if same else other


def apply_timing(db: Connection, row: OutboxRow, answer: Later | Never | InDigest) -> None:
    """Apply a decision of `when_due` to a locked row; a mail that is put off stays pending."""
    if isinstance(answer, Later):
        outbox.put_off(db, row.id, answer.at)
        return
    if isinstance(answer, InDigest):
        _add_digest(db, answer)
    if answer == Never("seen") and row.kind == "turn-mail":
        # A player who does not look again is reminded as if the mail had gone out (T-09).
        note_mailed(db, row.game_id, row.payload["seat"])
    outbox.fail(db, row.id, IN_DIGEST if isinstance(answer, InDigest) else answer.reason)
    outbox.finish(db, row.id, "skipped")


def _add_digest(db: Connection, answer: InDigest) -> None:
    # If that day's digest has just left, the next day's takes the mail.
    day, at = answer.day, answer.at
    while not outbox.add_at(db, notices.digest(answer.player, day), at):
        day, at = day + DAY, at + DAY


def _preferences_of(db: Connection, row: OutboxRow) -> Any:
    """Return the mail preferences of the player of a row; None without a player."""
    whom = {"game": row.game_id, "seat": row.payload.get("seat"), "player": row.payload.get("player")}
    whom["now"] = row.read_at
    return db.execute(_ASK_PLAYER if "player" in row.payload else _ASK_SEAT, whom).one_or_none()


def _unwanted(asked: Any, kind: str, row: OutboxRow) -> Reason | None:
    if asked.muted:
        return "muted"
    if kind in asked.unwanted or (kind == "reminder" and asked.reminders == 0):
        return "unwanted"
    return "seen" if _is_seen(asked, kind, row) else None


def _is_seen(asked: Any, kind: str, row: OutboxRow) -> bool:
    """Return whether the mail is dropped because the player's page of the table has shown its content."""
    return _was_shown(asked, kind, row) and not _may_be_forgotten(asked, row)


def _was_shown(asked: Any, kind: str, row: OutboxRow) -> bool:
    """Return whether the player's page of the table has shown the content of the mail.

    A take-back repeats the number of a decision, so the moment has to fit as well.
    """
    shows = _is_shown_by_page(asked, kind) and asked.looked_at is not None and asked.looked_at >= row.added_at
    return shows and (asked.seen or 0) >= row.payload.get("decision", 0)


def _may_be_forgotten(asked: Any, row: OutboxRow) -> bool:
    """Return whether others wait for the turn of a mail, and no reminder follows."""
    return row.kind == "turn-mail" and not asked.clocked and not asked.alone


def _present_until(asked: Any, kind: str, row: OutboxRow) -> datetime:
    """Return the end of the presumed presence of the player at the table, perhaps a past moment.

    Alone with computer players they are for ABSENCE after they have acted there, which is when the mail was written, or
    have looked. Not those who have acted by a mail: they wait for the next one. Of a turn that was seen they are told
    after FORGOTTEN.
    """
    if not _is_shown_by_page(asked, kind):
        return row.added_at
    looked = row.added_at if asked.looked_at is None else asked.looked_at
    if asked.alone and not asked.by_mail:
        return max(looked, row.added_at) + SOLO_AWAY_AFTER
    if _was_shown(asked, kind, row):
        return looked + SEEN_TURN_AGAIN_AFTER
    return row.added_at if asked.looked_at is None else looked + PAGE_OPEN


def _is_shown_by_page(asked: Any, kind: str) -> bool:
    """Return whether the page of the table shows all content of the mail."""
    return kind in ("turn", "started") or (kind == "over" and asked.alone)


def _is_urgent(row: OutboxRow, digest: datetime) -> bool:
    """Return whether the mail reminds of a deadline before the digest."""
    return row.kind == "reminder" and row.payload["deadline"] <= milliseconds(digest)


def _delay(asked: Any, usual: int) -> int:
    return usual if asked.delay is None else int(asked.delay)


DAY = timedelta(days=1)


def next_at(now: datetime, zone: ZoneInfo, hour: int) -> datetime:
    """Return the next moment, in UTC, at which the clock in the zone shows the full hour: one for each day.

    An hour that the clock skips counts as the moment after the gap, one that it shows twice as the first of both.
    """
    day = now.astimezone(zone).date()
    while (moment := _hour_of_day(day, zone, hour)) <= now:
        day += DAY
    return moment


def quiet_until(moment: datetime, zone: ZoneInfo, begin: int, end: int) -> datetime:
    """Return the end of the quiet hours around a moment; the moment itself if it lies in none, as `quiet_hours`."""
    around = quiet_hours(moment, zone, begin, end)
    return moment if around is None else around[1]


def quiet_hours(moment: datetime, zone: ZoneInfo, begin: int, end: int) -> tuple[datetime, datetime] | None:
    """Return when the quiet hours around a moment begin and end; None if it lies in none.

    They last from the full hour `begin` to `end`, across midnight if `end` is the lesser; equal hours mean none.
    """
    if begin == end:
        return None
    today = moment.astimezone(zone).date()
    for day in (today - DAY, today):
        last = day if begin < end else day + DAY
        since, until = _hour_of_day(day, zone, begin), _hour_of_day(last, zone, end)
        if since <= moment < until:
            return since, until
    return None


def _hour_of_day(day: date, zone: ZoneInfo, hour: int) -> datetime:
    return datetime.combine(day, time(hour), zone).astimezone(UTC)
