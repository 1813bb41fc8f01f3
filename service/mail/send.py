"""Sends the mails of outbox rows over SMTP. Each row is checked against the game once more before it is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

import structlog
from sqlalchemy import Connection

from service.handlers import links, sign_in
from service.handlers.mail_wishes import note_mailed
from service.mail import unsubscribe
from service.mail.blocks import Content
from service.mail.context import MailContext
from service.mail.game_blocks import MailLinks
from service.mail.lapsed import lapsed_mail, what_was_played
from service.mail.message import Addressee, Kind, Stamp, add_identity_headers, address_game_mail, sender_domain
from service.mail.play import (
    ProposalMessage,
    ReplyOutcome,
    TurnPrompt,
    game_over_mail,
    pause_message,
    proposal_mail,
    receipt_mail,
    remarks_of_others,
    said_mail,
    started_mail,
    take_back_message,
    turn_mail,
    turn_withdrawn_mail,
)
from service.mail.sentences import Times, deadline_of, times_of
from service.mail.sign_in import sign_in_mail
from service.mail.strip_links import with_safe_names
from service.mail.subject_line import with_namesakes
from service.shared import clock
from service.store.events import has_acted_since
from service.store.games import Position
from service.store.outbox import OutboxRow
from service.views.absences import away
from service.views.history import Recap, latest_recap
from service.views.mail import KINDS, apart
from service.views.orders import dropped_now
from service.views.table import spoken

Sent = Literal["done", "skipped"]
log = structlog.get_logger()


def send_turn_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `decision`, `seat`, maybe `goes_on`), if the decision is still due.

    One that is about a `step` of the answer, taken at that version, is not sent after another one.

    Each attempt has a new link, and the same Message-ID. Raises as `Mailer.send` does.
    """
    seat, decision = row.payload["seat"], row.payload["decision"]
    with _reading(context, row, seat, lambda position: _is_due(position, seat, decision)) as draft:
        step = row.payload.get("step")
        if draft is None or (step is not None and has_acted_since(draft.db, row.game_id, seat, step)):
            return "skipped"
        recap = draft.recap
        dropped = dropped_now(draft.db, draft.position, seat, draft.position.seats[seat].language)
    turn = TurnPrompt(row.payload.get("goes_on", False), times=draft.times, dropped=dropped)
    return _send(context, row, draft, "turn", turn_mail(draft.position, seat, recap, draft.urls, turn))


def send_reminder_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `decision`, `seat`) that reminds of a deadline, if that is still ahead.

    It has what the turn mail has, and links of its own. Raises as `Mailer.send` does.
    """
    seat, decision = row.payload["seat"], row.payload["decision"]
    with _reading(context, row, seat, lambda position: _runs_out(position, seat, decision)) as draft:
        if draft is None:
            return "skipped"
        recap = draft.recap
        dropped = dropped_now(draft.db, draft.position, seat, draft.position.seats[seat].language)
    turn = TurnPrompt(reminds=True, times=draft.times, dropped=dropped)
    return _send(context, row, draft, "reminder", turn_mail(draft.position, seat, recap, draft.urls, turn))


def send_lapsed_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`, `version`) that says what was played for a seat, and why.

    Raises as `Mailer.send` does.
    """
    seat = row.payload["seat"]
    with _reading(context, row, seat, lambda _: True) as draft:
        played = None if draft is None else what_was_played(draft.db, draft.position, seat, row.payload["version"])
        if draft is None or played is None:
            return "skipped"
    return _send(context, row, draft, "lapsed", lapsed_mail(draft.position, seat, played, draft.urls, draft.times))


def send_turn_withdrawn_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`, `by`) that says that a turn is none any more.

    It has nothing to say to a seat that is to act again. Raises as `Mailer.send` does.
    """
    seat = row.payload["seat"]
    with _reading(context, row, seat, lambda position: _is_waiting(position, seat)) as draft:
        if draft is None:
            return "skipped"
    return _send(context, row, draft, "turn", turn_withdrawn_mail(draft.position, seat, row.payload["by"], draft.urls))


def send_started_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`) that says that a game has begun, until the seat is to act.

    The turn mail says all this, too. Raises as `Mailer.send` does.
    """
    seat = row.payload["seat"]
    with _reading(context, row, seat, lambda position: _is_waiting(position, seat)) as draft:
        if draft is None or not (recap := draft.recap).since_start:
            return "skipped"
    return _send(context, row, draft, "started", started_mail(draft.position, seat, recap, draft.urls, draft.times))


def send_game_over_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`) that says how the game ended. Raises as `Mailer.send` does."""
    seat = row.payload["seat"]
    with _reading(context, row, seat, lambda position: position.game.status == "finished") as draft:
        if draft is None:
            return "skipped"
        recap = draft.recap
    return _send(context, row, draft, "over", game_over_mail(draft.position, seat, recap, draft.urls))


def send_said_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`, `since`, `until`) with the remarks of the others at the table.

    Raises as `Mailer.send` does.
    """
    seat = row.payload["seat"]
    with _reading(context, row, seat, lambda position: seat not in position.resigned) as draft:
        if draft is None:
            return "skipped"
        remarks = remarks_of_others(draft.db, draft.position, seat, row.payload)
        if not remarks:
            return "skipped"
    return _send(context, row, draft, "message", said_mail(draft.position, seat, remarks, draft.urls))


def send_pause_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`, `what`, `until`) about a pause, while what it says is so.

    Raises as `Mailer.send` does.
    """
    return _send_proposal(context, row, lambda _, position: pause_message(position, row.payload, clock.now()))


def send_take_back_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`, `first`) that asks a seat for consent, while the request stands.

    Raises as `Mailer.send` does.
    """
    return _send_proposal(context, row, lambda db, position: take_back_message(db, position, row.payload, clock.now()))


def send_receipt(context: MailContext, row: OutboxRow, seat: int, answer: ReplyOutcome) -> Sent:
    """Answer a seat's mail to the game of a row with its outcome and the table. Raises as `Mailer.send` does.

    A refusal has the kind `problem`, so that mail programs can sort it apart.
    """
    with _reading(context, row, seat, lambda _: True) as draft:
        if draft is None:
            return "skipped"
    kind: Kind = "problem" if answer.refused else "receipt"
    content = receipt_mail(draft.position, seat, answer, draft.urls, draft.times)
    return _send(context, row, draft, kind, content)


def send_sign_in_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `sign_in`) with a link to sign in. Raises as `Mailer.send` does."""
    if context.mailer is None:
        return "skipped"
    now = clock.now()
    with context.games.engine.begin() as db:
        asked = sign_in.prepare(db, UUID(row.payload["sign_in"]), now)
    if asked is None:
        return "skipped"
    url = f"{context.settings.base_url}/sign-in/{asked.secret}"
    if context.settings.mailbox is not None and context.settings.private:
        # Only this machine can read the mail and use the link.
        log.info("sign-in link", url=url)
    stamp = Stamp(row.id, context.mailer.mail_from, now)
    message = add_identity_headers(sign_in_mail(asked, url), stamp, "sign-in", row.payload["sign_in"])
    context.mailer.send(message, at_once=True)
    return "done"


@dataclass(frozen=True, slots=True)
class Draft:
    """What a mail of a game to a seat is composed from: the game, and the addresses of its links.

    It is in a thread of its own (`apart`) if the recipient has chosen so.
    """

    context: MailContext
    db: Connection
    position: Position
    seat: int
    urls: MailLinks
    apart: bool
    times: Times

    @property
    def language(self) -> str:
        """The seat's language if the game speaks it, and else the game's first."""
        return spoken(self.position, self.position.seats[self.seat].language)

    @property
    def recap(self) -> Recap:
        """What has happened since the seat's last action."""
        return latest_recap(self.db, self.position, self.seat, self.language)


@contextmanager
def _reading(
    context: MailContext, row: OutboxRow, seat: int, due: Callable[[Position], bool]
) -> Iterator[Draft | None]:
    """Read the game of a row; None if its mail is no longer due, or there is no mail server or no address.

    For a running game a link to its current decision is stored, which has to be committed before the mail can be read.
    No lock is held while the mail server is waited for.
    """
    with context.games.engine.begin() as db:
        position = context.games.open(db, row.game_id)
        reader = position.seats[seat]
        if context.mailer is None or reader.email is None or not due(position):
            yield None
            return
        token = None
        if position.game.status == "running" and seat not in position.resigned:
            token = links.issue(db, row.game_id, seat, position.decision, clock.now())
            if position.clocks is not None and row.kind in ("turn-mail", "reminder"):
                note_mailed(db, row.game_id, seat)
        kind = KINDS.get(row.kind)
        fewer = None if kind is None else unsubscribe.link(context.settings, db, row.game_id, reader.player_id, kind)
        urls = MailLinks(context.settings.base_url, row.game_id, token, fewer)
        alone = apart(db, reader.player_id)
        shown = with_safe_names(with_namesakes(db, position, seat), reader.language)
        now = clock.now()
        times = times_of(shown, seat, now, away(db, shown, seat, now))
        yield Draft(context, db, shown, seat, urls, alone, times)


def _send(context: MailContext, row: OutboxRow, draft: Draft, kind: Kind, content: Content) -> Literal["done"]:
    """Send a mail of a game, with its headers."""
    assert context.mailer is not None  # noqa: S101 # for the type checker: _reading has seen to it
    stamp = Stamp(row.id, context.mailer.mail_from, clock.now())
    token = draft.urls.token
    reply_to = None if token is None else f"z+{token}@{context.settings.reply_domain or sender_domain(stamp)}"
    whom = Addressee(row.game_id, draft.position.seats[draft.seat], reply_to, draft.urls.fewer, draft.apart)
    context.mailer.send(address_game_mail(content, kind, whom, stamp, replies=row.kind == "reply"))
    return "done"


def _send_proposal(
    context: MailContext, row: OutboxRow, read: Callable[[Connection, Position], ProposalMessage | None]
) -> Sent:
    seat = row.payload["seat"]
    with _reading(context, row, seat, lambda position: position.game.status == "running") as draft:
        message = None if draft is None else read(draft.db, draft.position)
        if draft is None or message is None:
            return "skipped"
    return _send(context, row, draft, "proposal", proposal_mail(draft.position, seat, message, draft.urls))


def _is_waiting(position: Position, seat: int) -> bool:
    return position.game.status == "running" and seat not in position.awaited | frozenset(position.resigned)


def _is_due(position: Position, seat: int, decision: int) -> bool:
    return seat in position.awaited and position.decision == decision


def _runs_out(position: Position, seat: int, decision: int) -> bool:
    deadline = deadline_of(position, seat)
    return deadline is not None and deadline > clock.now() and _is_due(position, seat, decision)
