"""Mails about time: lapsed turns, reminders, mails held during an absence (T-08, T-09, T-13, T-14, T-19).

Each wait has one outbox row for its next reminder. The row is written when the turn mail of the wait is carried out.
When due, the row is checked again, since the deadline may have moved. Then the row of the mail, if any, and the row of
the next reminder are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, text

from service.handlers.mail_preferences import look_again
from service.log.clocks import Clocks, later
from service.log.recorded import Recorded, instant, milliseconds
from service.mail import game_blocks
from service.mail.blocks import Bullets, Button, Content, Heading, Paragraph
from service.mail.compose import numbered_content
from service.mail.context import MailContext
from service.mail.game_blocks import MailLinks, others_time
from service.mail.play import TurnPrompt, turn_mail
from service.mail.preferences import next_at, quiet_hours, quiet_until
from service.mail.send import Sent, is_turn_due, open_draft, send_draft
from service.mail.sentences import Times, deadline_of, greeting
from service.mail.subject_line import subject_line
from service.rules.shared_events import SeatHandedOver, SharedEvent, TimeLapsed
from service.shared import clock
from service.store import events, notices, outbox
from service.store.games import Games, Position
from service.store.outbox import Notice, OutboxRow
from service.store.pace import ABSENCES_COUNT
from service.texts.catalog import say
from service.texts.when import instant_text
from service.views.history import recap_of
from service.views.orders import dropped_now
from service.views.table import spoken

AfterLapse = Literal["goes-on", "absent", "resigned", "over"]
"""Outcome of a lapse: the player or the stand-in (T-14) goes on; the seat has resigned; the game is over."""
REMINDER_SHARES: Final = {1: 2, 2: 10}
"""Divisor of the time left by number of the reminder: a half, then a tenth."""
BEFORE_QUIET_HOURS: Final = timedelta(minutes=30)
"""Time before quiet hours at which a reminder of a deadline within them is sent."""
MAX_REMINDERS: Final = len(REMINDER_SHARES)
MIN_REMINDER_GAP: Final = timedelta(hours=3)
"""Least time between two reminders of one wait."""
STOPPED_CLOCK_RETRY: Final = timedelta(hours=1)
"""Time after which a reminder with a stopped clock is checked again."""

_HAS_CLOCK: Final = text("select pace is not null from game where id = (select game_id from outbox where id = :row)")
_REMINDER_PREFERENCE: Final = text("""
select p.time_zone, s.looked, coalesce(w.reminders, :most) as reminders, w.quiet_from, w.quiet_to
  from seat s join player p on p.id = s.player_id left join mail_wishes w on w.player_id = p.id
 where s.game_id = :game and s.seat = :seat
""")
_SENT_AT: Final = text("select cast(payload ->> 'at' as bigint) from outbox where dedupe_key = :key")
HELD_MAIL_GAP: Final = timedelta(seconds=1)
"""Time between two released mails, which keeps them in order."""
_RETURNING_PLAYER = text("""
select p.time_zone, w.digest, w.quiet_from, w.quiet_to from player p left join mail_wishes w on w.player_id = p.id
 where p.id = :player and p.email is not null
""")
_AWAITED = text(f"""
select g.id as game, s.seat, g.faces as decision from seat s join game g on g.id = s.game_id
 where s.player_id = :player and g.status = 'running' and s.seat = any(g.awaited) and {ABSENCES_COUNT}
 order by g.deadlines[array_position(g.awaited, s.seat)] nulls last, g.since, g.id
""")  # noqa: S608 - a constant
_RELEASE_HELD = text("""
update outbox set not_before = :at, due_at = :at, attempts = 0
 where game_id = :game and kind = 'turn-mail' and state = 'pending'
   and cast(payload ->> 'seat' as integer) = :seat and cast(payload ->> 'decision' as integer) = :decision
returning id
""")
_DROP_DIGESTS = text("""
delete from outbox where id in (
  select id from outbox where kind = 'digest' and state = 'pending' and payload ->> 'player' = :player for update)
returning id
""")


@dataclass(frozen=True, slots=True)
class PlayedFor:
    """Actions played for a seat after its deadline, in sentences, and what follows."""

    deadline: datetime
    sentences: tuple[str, ...]
    then: AfterLapse


def send_lapsed_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail about actions played for a seat (payload `seat`, `version`).

    Raises as `Mailer.send` does.
    """
    seat = row.payload["seat"]
    with open_draft(context, row, seat, lambda _: True) as draft:
        played = None if draft is None else what_was_played(draft.db, draft.position, seat, row.payload["version"])
        if draft is None or played is None:
            return "skipped"
    return send_draft(context, row, draft, "lapsed", lapsed_mail(draft.position, seat, played, draft.urls, draft.times))


def lapsed_mail(position: Position, seat: int, played: PlayedFor, urls: MailLinks, times: Times) -> Content:
    """Return the mail about actions played for a seat, the reason, and how to go on."""
    row, then = position.seats[seat], played.then
    language = row.language
    at = instant_text(language, row.time_zone, played.deadline, played.deadline)
    blocks = [
        Paragraph(greeting(position, seat, "lapsed-greeting")),
        Paragraph(f"{say(language, 'lapsed-why', at=at)} {say(language, f'lapsed-then-{then}')}"),
        *((Heading(say(language, "lapsed-played")), Bullets(played.sentences)) if played.sentences else ()),
        Button(say(language, "lapsed-back" if then == "absent" else "said-table"), urls.table),
        *game_blocks.language_note(position.ruleset.meta, language),
        game_blocks.board(game_blocks.table_of(position, seat), url=urls.table),
        *others_time(times),
        *game_blocks.footer(position, seat, urls, table_link=False),
    ]
    summary = say(language, f"lapsed-headline-{then}")
    own = subject_line(position, seat, language, "lapsed")
    return numbered_content(position, seat, summary, blocks, own, position.decision)


def what_was_played(db: Connection, position: Position, seat: int, version: int) -> PlayedFor | None:
    """Return the actions played for a seat from its lapse to a version; None if the seat has a new player."""
    log = events.read(db, position.codec, position.game.id)
    lapse = next((each for each in reversed(log[:version]) if _is_of_seat(each, TimeLapsed, seat)), None)
    if lapse is None or any(_is_of_seat(each, SeatHandedOver, seat) for each in log[lapse.seq :]):
        return None
    since = (each for each in log[lapse.seq : version] if not isinstance(each.event, SharedEvent))
    made = [each for each in since if each.seat == seat and each.door == "timeout"]
    return PlayedFor(
        instant(lapse.event.deadline), played_sentences(position, seat, made), _after_lapse(position, seat)
    )


def played_sentences(position: Position, seat: int, made: Sequence[Recorded]) -> tuple[str, ...]:
    """Return the actions played for a seat in sentences, as far as the log of the table tells them."""
    table = game_blocks.table_of(position, seat)
    told = [each for each in made if table.story([(each.event, each.seat)])]
    return recap_of(position, told, seat, spoken(position, position.seats[seat].language)).sentences


def _after_lapse(position: Position, seat: int) -> AfterLapse:
    if seat in position.resigned:
        return "resigned"
    if position.game.status != "running":
        return "over"
    return "absent" if position.clocks is not None and seat in position.clocks.absent else "goes-on"


def _is_of_seat(recorded: Recorded, kind: type[TimeLapsed | SeatHandedOver], seat: int) -> bool:
    return isinstance(recorded.event, kind) and recorded.event.seat == seat


def send_reminder_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the reminder of an outbox row (payload `decision`, `seat`), if the deadline is still ahead.

    It has the content of the turn mail, and links of its own. Raises as `Mailer.send` does.
    """
    seat, decision = row.payload["seat"], row.payload["decision"]
    with open_draft(context, row, seat, lambda position: _runs_out(position, seat, decision)) as draft:
        if draft is None:
            return "skipped"
        recap = draft.recap
        dropped = dropped_now(draft.db, draft.position, seat, draft.position.seats[seat].language)
    turn = TurnPrompt(reminds=True, times=draft.times, dropped=dropped)
    return send_draft(context, row, draft, "reminder", turn_mail(draft.position, seat, recap, draft.urls, turn))


def _runs_out(position: Position, seat: int, decision: int) -> bool:
    deadline = deadline_of(position, seat)
    return deadline is not None and deadline > clock.now() and is_turn_due(position, seat, decision)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Full hours of a zone, from `begin` to `end`, in which a player wants no mails."""

    zone: ZoneInfo
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class _ReminderPreference:
    """Number of reminders that a player wants, quiet hours, and whether the player has looked at the table lately."""

    most: int
    quiet: QuietHours | None
    looked: bool

    def wants(self, number: int) -> bool:
        """Return whether the reminder is wanted; a player with one reminder gets the last."""
        return number > MAX_REMINDERS - self.most


def plan_reminders(games: Games, row_id: int, now: datetime) -> None:
    """Plan the next reminder of the wait of a turn mail (an outbox row)."""
    with games.engine.begin() as db:
        row = outbox.read(db, row_id) if db.execute(_HAS_CLOCK, {"row": row_id}).scalar() else None
        if row is None:
            return
        position, seat = games.open(db, row.game_id), row.payload["seat"]
        wish = _reminder_preference(db, row.game_id, seat)
        if wish is not None:
            found = _reminders_ahead(position, seat, wish, now)
            _post_first(db, row.game_id, (each for each in found if (each.at or 0) > milliseconds(now)))


def remind(games: Games, row_id: int, now: datetime) -> None:
    """Carry out a row that is due (payload `seat`, `asked`, `number`): post the reminder and plan the next one.

    A row of a past wait is deleted. A row with a moved deadline or a stopped clock is put off.
    """
    with games.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is not None:
            _carry_out_reminder(db, games.open(db, row.game_id), row, now)


def _carry_out_reminder(db: Connection, position: Position, row: OutboxRow, now: datetime) -> None:
    seat, number, clocks = row.payload["seat"], row.payload["number"], position.clocks
    wait = None if clocks is None else clocks.waits.get(seat)
    wish = _reminder_preference(db, row.game_id, seat)
    if clocks is None or wait is None or wait.asked != row.payload["asked"] or wish is None:
        outbox.forget(db, row.id)
        return
    if clocks.stopped(seat):
        outbox.put_off(db, row.id, now + STOPPED_CLOCK_RETRY)
        return
    at = reminder_time(clocks, seat, number, wish.quiet, now)
    if at is not None and at > now:
        outbox.put_off(db, row.id, at)
        return
    wanted = at is not None and wish.wants(number) and not (wish.looked and half_is_left(clocks, seat, at))
    sends = wanted and _is_apart(db, row, now)
    if sends:
        outbox.post(db, row.game_id, [_reminder_notice(position, clocks, row, now)])
    outbox.finish(db, row.id, "done" if sends else "skipped")
    _post_first(db, row.game_id, _reminders_ahead(position, seat, wish, now, number))


def _reminders_ahead(
    position: Position, seat: int, wish: _ReminderPreference, now: datetime, after: int = 0
) -> Iterator[Notice]:
    """Yield the notices of the reminders after a number that can still be sent."""
    clocks, game = position.clocks, position.game.id
    if clocks is None or seat not in clocks.waits:
        return
    for number in range(after + 1, MAX_REMINDERS + 1):
        at = now + STOPPED_CLOCK_RETRY if clocks.stopped(seat) else reminder_time(clocks, seat, number, wish.quiet, now)
        if at is not None:
            yield notices.remind(game, seat, clocks.waits[seat].asked, number, milliseconds(at))


def _post_first(db: Connection, game: UUID, found: Iterable[Notice]) -> None:
    """Post the first notice that has not been posted before."""
    any(outbox.post(db, game, [each]) for each in found)


def _reminder_notice(position: Position, clocks: Clocks, row: OutboxRow, now: datetime) -> Notice:
    seat, deadline = row.payload["seat"], clocks.deadline(row.payload["seat"])
    told = {"decision": position.decision, "deadline": deadline, "at": milliseconds(now)}
    return notices.reminder(row.game_id, seat, row.payload["asked"], row.payload["number"], told)


def _is_apart(db: Connection, row: OutboxRow, now: datetime) -> bool:
    """Return whether the previous reminder, if sent, is long enough ago."""
    seat, asked, number = (row.payload[name] for name in ("seat", "asked", "number"))
    before = notices.reminder(row.game_id, seat, asked, number - 1, {}).dedupe_key
    at: int | None = db.execute(_SENT_AT, {"key": before}).scalar()
    return at is None or milliseconds(now - MIN_REMINDER_GAP) >= at


def _reminder_preference(db: Connection, game: UUID, seat: int) -> _ReminderPreference | None:
    found: Any = db.execute(_REMINDER_PREFERENCE, {"game": game, "seat": seat, "most": MAX_REMINDERS}).one_or_none()
    if found is None:
        return None
    quiet = None
    if found.quiet_from is not None:
        quiet = QuietHours(ZoneInfo(found.time_zone), found.quiet_from, found.quiet_to)
    return _ReminderPreference(found.reminders, quiet, found.looked)


def reminder_time(clocks: Clocks, seat: int, number: int, quiet: QuietHours | None, now: datetime) -> datetime | None:
    """Return when the reminder of a waiting seat is due; a past moment means at once.

    None if no time runs, the deadline is past, or the deadline falls into quiet hours that have begun.
    """
    deadline = clocks.deadline(seat)
    if deadline is None or instant(deadline) <= now:
        return None
    due = instant(_share_left(clocks, seat, number))
    around = None if quiet is None else quiet_hours(max(due, now), quiet.zone, quiet.begin, quiet.end)
    if around is None:
        return due
    begin, end = around
    if instant(deadline) > end:
        return end
    return None if begin <= now else begin - BEFORE_QUIET_HOURS


def half_is_left(clocks: Clocks, seat: int, at: datetime) -> bool:
    """Return whether a waiting seat has at least half of its time left at a moment."""
    return 2 * clocks.used(seat, milliseconds(at)) <= _total_time(clocks, seat)


def _share_left(clocks: Clocks, seat: int, number: int) -> int:
    total, wait = _total_time(clocks, seat), clocks.waits[seat]
    used = total - -(-total // REMINDER_SHARES[number])
    return later(clocks.pace.weekdays, wait.since, max(0, used - wait.used))


def _total_time(clocks: Clocks, seat: int) -> int:
    """Return all the time that a waiting seat has for its wait, in milliseconds."""
    return clocks.pace.free * 1000 + clocks.banks[seat] + clocks.waits[seat].given


def send_held_mails(db: Connection, player: UUID, back: datetime, now: datetime) -> None:
    """Release the mails held for a player's return, one for each game that waits for the player, most urgent first.

    `back` is the end of the absence. In quiet hours the mails leave at their end; with a digest, they are in the next.
    """
    reader = db.execute(_RETURNING_PLAYER, {"player": player}).one_or_none()
    if reader is None:
        return
    look_again(db, player)
    zone = ZoneInfo(reader.time_zone)
    first = now if reader.quiet_from is None else quiet_until(now, zone, reader.quiet_from, reader.quiet_to)
    _release_in_order(db, db.execute(_AWAITED, {"player": player}).all(), back, first)
    if reader.digest is not None and db.execute(_DROP_DIGESTS, {"player": str(player)}).all():
        # A digest that waited for the day of the return as it was announced.
        at = next_at(now, zone, reader.digest)
        outbox.add_at(db, notices.digest(player, at.astimezone(zone).date()), at)


def _release_in_order(db: Connection, awaited: Sequence[Any], back: datetime, first: datetime) -> None:
    for place, each in enumerate(awaited):
        at = first + place * HELD_MAIL_GAP
        values = {"game": each.game, "seat": each.seat, "decision": each.decision, "at": at}
        if db.execute(_RELEASE_HELD, values).first() is None:
            why = f"back-{milliseconds(back)}"
            again = notices.turn_mail_again(each.game, each.decision, each.seat, why, at=milliseconds(at))
            outbox.post(db, each.game, [again])
