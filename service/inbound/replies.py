"""Answers the mails that have come in: reads them, has done what they ask for, and writes back."""

from __future__ import annotations

from dataclasses import replace
from email.utils import parseaddr
from typing import Final, Literal

from sqlalchemy import Connection

from service.handlers import links
from service.inbound.authentic import belief
from service.inbound.executor import EFFECTIVE, LASTING, UNREAD, Came, Case, came_of
from service.inbound.grammar import ReplyText, read_reply
from service.inbound.headers import IncomingMail, read
from service.inbound.ingest import opened
from service.inbound.loops import writer
from service.inbound.text import written
from service.mail.compose import ReplyOutcome, subject
from service.mail.context import MailContext
from service.mail.send import send_receipt
from service.shared import clock
from service.store import inbound
from service.store.inbound import Inbound
from service.store.outbox import OutboxRow
from service.texts.catalog import say

MOST_UNREAD: Final = (3, 8)
"""Answers to mails of a player in which nothing was read: in an hour and one game, and in a day.

Two machines must not write for ever, and a player who mistypes in one game is still answered in another.
"""
MOST_IDLE: Final = (20, 60)
"""Answers to what a player asks for that changes nothing, such as `show`: in an hour, and in a day."""


def send_answer(house: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Answer the mail of an outbox row (payload `mail`) once; mails that a machine may have written are not answered.

    What the mail asks for is done under a key of its own, so that it happens once however often this is tried.
    """
    with house.games.engine.connect() as db:
        mail = inbound.read(db, row.payload["mail"])
        link = None if mail is None else links.resolve_stored(db, mail.link)
        position = None if mail is None else house.games.open(db, mail.game_id)
    if mail is None or link is None or position is None or house.mailer is None:
        return "skipped"
    raw = opened(house, mail.sealed)
    letter = read(raw)
    seat = position.seats[link.seat]
    if seat.player_id != mail.player_id or seat.email is None:
        return _skip(house, mail, "left")
    case = Case(house, link, position, mail)
    wanted = read_reply(position.ruleset, written(raw))
    if _automatic(case, letter, wanted):
        return _skip(house, mail, "automatic")
    came = _carry_out(case, letter, wanted, seat.email)
    with house.games.engine.begin() as db:
        left = None if came.outcome in EFFECTIVE else _answers_left(db, mail, came.outcome)
        if left == 0:
            inbound.settle(db, mail.id, "unanswered", None)
            return "skipped"
        inbound.settle(db, mail.id, came.outcome, clock.now())
    return send_receipt(house, row, link.seat, came.answer if left != 1 else _with_last_notice(case, came.answer))


def _automatic(case: Case, letter: IncomingMail, wanted: ReplyText) -> bool:
    mailer = case.house.mailer
    ours = "" if mailer is None else parseaddr(mailer.mail_from)[1]
    title, number = subject(case.position, case.language), case.position.game.id.hex[-6:]
    begin = title[: title.index(number) + len(number)] if number in title else title
    by = writer(letter, letter.header("return-path").strip("<> "), ours, begin)
    return by == "machine" or (by == "perhaps" and not wanted.found and wanted.said is None)


def _answers_left(db: Connection, mail: Inbound, outcome: str) -> int:
    """Return how many mails of the outcome may still be answered, this one among them; 0 if none."""
    before = inbound.answered(db, mail, clock.now(), UNREAD, LASTING)
    if outcome in UNREAD:
        (in_an_hour, in_a_day), hour, day = MOST_UNREAD, before.unread_in_the_game, before.unread
    else:
        (in_an_hour, in_a_day), hour, day = MOST_IDLE, before.idle_in_the_hour, before.idle
    return max(0, min(in_an_hour - hour, in_a_day - day))


def _with_last_notice(case: Case, answer: ReplyOutcome) -> ReplyOutcome:
    return replace(answer, sentences=(*answer.sentences, say(case.language, "answer-quiet")))


def _carry_out(case: Case, letter: IncomingMail, wanted: ReplyText, registered: str) -> Came:
    server, strict = case.house.settings.inbound_server, case.link.needs_sign_in
    believed = belief(letter, registered, server, own=case.mail.own, strict=strict)
    if believed != "believed":
        why = [say(case.language, "answer-not-believed-strict")] if strict else []
        # Its player is told the same, and `boardroom doctor` the difference.
        return replace(case.told("not-believed", *why), outcome=believed)
    if case.link.revoked_for in ("seen", "address") or case.link.expires_at < case.mail.received_at:
        return case.told("dead-link")
    return came_of(case, wanted)


def _skip(house: MailContext, mail: Inbound, outcome: str) -> Literal["skipped"]:
    with house.games.engine.begin() as db:
        inbound.settle(db, mail.id, outcome, None)
    return "skipped"
