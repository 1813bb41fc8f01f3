"""Answer stored mails: read a mail, execute its commands, send the result."""

from __future__ import annotations

from dataclasses import replace
from email.utils import parseaddr
from typing import Final, Literal

import structlog
from sqlalchemy import Connection

from service.handlers import links
from service.handlers.pace import is_absent, return_from_absence
from service.handlers.refusals import NotSeated
from service.inbound.authentication import Belief, belief
from service.inbound.auto_replies import Writer, writer
from service.inbound.executor import (
    EFFECTIVE_OUTCOMES,
    HOUR,
    LASTING_OUTCOMES,
    UNREAD_OUTCOMES,
    CommandResult,
    Reply,
    execute,
)
from service.inbound.grammar import ReplyText, read_reply
from service.inbound.headers import IncomingMail, read
from service.inbound.ingest import opened
from service.inbound.text import Written, written
from service.mail.context import MailContext
from service.mail.play import ReplyOutcome, send_receipt
from service.mail.subject_line import subject_beginnings
from service.shared import clock
from service.shared.limited_process import BeyondLimits, call_limited
from service.store.mail import (
    InboundMail,
    count_inbound_answers,
    count_inbound_unreadable,
    is_address_of_another,
    is_reply_address_confirmed,
    read_inbound,
    settle_inbound,
)
from service.store.outbox import OutboxRow
from service.texts.catalog import say

MAX_UNREAD_ANSWERS: Final = (3, 8)
"""Maximum answers to a player's mails in which nothing was read: per hour and game, and per day.

Two machines must not write for ever; but a player who mistypes in one game still gets answers in another.
"""
MAX_IDLE_ANSWERS: Final = (20, 60)
"""Maximum answers to a player's requests without a change, such as `show`: per hour, and per day."""
MAX_UNREADABLE_PER_HOUR: Final = 3
"""Maximum mails of a player per hour that exceed the limits of reading; after that, no mail is read in the hour."""
log = structlog.get_logger()


def send_answer(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Answer the mail of an outbox row (payload `mail`) once; mails that a machine may have written get no answer.

    The requests of the mail are carried out under an idempotency key, so retries change nothing.
    """
    with context.games.engine.connect() as db:
        mail = read_inbound(db, row.payload["mail"])
        link = None if mail is None else links.resolve_stored(db, mail.link)
        position = None if mail is None else context.games.open(db, mail.game_id)
    if mail is None or link is None or position is None or context.mailer is None:
        return "skipped"
    raw = opened(context, mail.sealed)
    letter = read(raw)
    seat = position.seats[link.seat]
    if seat.player_id != mail.player_id or seat.email is None:
        return _skip(context, mail, "left")
    if link.blocked is not None:
        return _skip(context, mail, "blocked")
    reply = Reply(context, link, position, mail)
    try:
        result = _result(reply, letter, raw, seat.email)
    except NotSeated:
        return _skip(context, mail, "left")
    if result is None:
        return _skip(context, mail, "automatic")
    answer = _settled(context, mail, reply, result)
    return "skipped" if answer is None else send_receipt(context, row, link.seat, answer)


def _settled(context: MailContext, mail: InboundMail, reply: Reply, result: CommandResult) -> ReplyOutcome | None:
    """Settle a mail that was carried out, and return the answer to its player; None for no answer."""
    with context.games.engine.begin() as db:
        left = None if result.outcome in EFFECTIVE_OUTCOMES else _answers_left(db, mail, result.outcome)
        seat = context.games.open(db, mail.game_id).seats[reply.link.seat]
        if seat.player_id != mail.player_id or left == 0:
            # The seat may belong to another person by now, who must not get the answer.
            settle_inbound(db, mail.id, "unreadable" if result.outcome == "unreadable" else "unanswered", None)
            return None
        settle_inbound(db, mail.id, result.outcome, clock.now())
    return result.answer if left != 1 else _with_last_notice(reply, result.answer)


def _writer(reply: Reply, letter: IncomingMail) -> Writer:
    mailer = reply.context.mailer
    ours = "" if mailer is None else parseaddr(mailer.mail_from)[1]
    begin = subject_beginnings(reply.position, reply.language)
    return writer(letter, letter.header("return-path").strip("<> "), ours, begin)


def _answers_left(db: Connection, mail: InboundMail, outcome: str) -> int:
    """Return how many mails of the outcome may still be answered, including this mail; 0 if none."""
    before = count_inbound_answers(db, mail, clock.now(), UNREAD_OUTCOMES, LASTING_OUTCOMES)
    if outcome in UNREAD_OUTCOMES:
        (in_an_hour, in_a_day), hour, day = MAX_UNREAD_ANSWERS, before.unread_in_the_game, before.unread
    else:
        (in_an_hour, in_a_day), hour, day = MAX_IDLE_ANSWERS, before.idle_in_the_hour, before.idle
    return max(0, min(in_an_hour - hour, in_a_day - day))


def _with_last_notice(reply: Reply, answer: ReplyOutcome) -> ReplyOutcome:
    return replace(answer, sentences=(*answer.sentences, say(reply.language, "answer-quiet")))


def _result(reply: Reply, letter: IncomingMail, raw: bytes, registered: str) -> CommandResult | None:
    """Carry out the requests of a mail, and return the result; None if a machine may have written it.

    Authentication before content: no text is decoded if the mail is not its player's, or its link is dead.
    """
    by, refused = _writer(reply, letter), _refused(reply, letter, registered)
    if by == "machine" or (by == "perhaps" and refused is not None):
        return None
    if refused is not None:
        return refused
    with reply.context.games.engine.connect() as db:
        before = count_inbound_unreadable(db, reply.mail.player_id, clock.now() - HOUR)
    if before >= MAX_UNREADABLE_PER_HOUR:
        return reply.result("not-read")
    try:
        text = call_limited(written, raw)
    except BeyondLimits as beyond:
        log.warning("a mail cannot be read", mail=reply.mail.id, why=str(beyond))
        last = [say(reply.language, "answer-not-read-text")] if before + 1 == MAX_UNREADABLE_PER_HOUR else []
        return reply.result("unreadable", *last)
    name = reply.position.seats[reply.link.seat].name
    wanted = read_reply(reply.position.ruleset, text.text, (name, letter.sender_name))
    silent = not (wanted.found or wanted.orders) and wanted.said is None
    if text.form == "reaction" or (by == "perhaps" and silent):
        return None
    return _carry_out(reply, wanted, text)


def _refused(reply: Reply, letter: IncomingMail, registered: str) -> CommandResult | None:
    """Return the answer to a mail whose text must not be read; None for an authenticated sender."""
    server, strict = reply.context.settings.inbound_server, reply.link.needs_sign_in
    address = _answered_from(reply, letter.sender, registered)
    believed: Belief = "not-believed"
    if address is not None:
        believed = belief(letter, address, server, own=reply.mail.own, strict=strict)
    if believed != "believed":
        why = [say(reply.language, "answer-not-believed-strict")] if strict else []
        # The player gets the same answer for both; `boardroom doctor` tells them apart.
        return replace(reply.result("not-believed", *why), outcome=believed)
    if reply.link.revoked_for in ("seen", "address") or reply.link.expires_at < reply.mail.received_at:
        return reply.result("dead-link")
    return None


def _answered_from(reply: Reply, sender: str | None, registered: str) -> str | None:
    """Return the player's address that the mail may come from; None if the sender is another player's account."""
    if sender is None or sender == registered.lower():
        return registered
    player = reply.link.player_id
    with reply.context.games.engine.connect() as db:
        if is_address_of_another(db, sender, player):
            return None
        return sender if is_reply_address_confirmed(db, sender, player) else registered


def _carry_out(reply: Reply, wanted: ReplyText, text: Written) -> CommandResult:
    if is_absent(reply.position, reply.link.seat):
        link = reply.link
        position = return_from_absence(reply.context.games, link.game_id, link.seat, link.player_id, "reply")
        reply = replace(reply, position=position)
    return execute(reply, wanted, text)


def _skip(context: MailContext, mail: InboundMail, outcome: str) -> Literal["skipped"]:
    with context.games.engine.begin() as db:
        settle_inbound(db, mail.id, outcome, None)
    return "skipped"
