"""Answers the mails that have come in: reads them, has done what they ask for, and writes back."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from sqlalchemy import Connection

from service import clock
from service.handlers import links
from service.mail.house import House
from service.mail.inbound.answers import EFFECTIVE, HOUR, LASTING, Came, Case, came_of
from service.mail.inbound.authentic import belief
from service.mail.inbound.grammar import asked
from service.mail.inbound.ingest import opened
from service.mail.inbound.loops import automatic
from service.mail.inbound.reading import Mail, read
from service.mail.inbound.written import written
from service.mail.send import send_receipt
from service.mail.texts import say
from service.store import inbound
from service.store.inbound import Inbound
from service.store.outbox import OutboxRow

MOST_ANSWERS: Final = 3
"""Answers in an hour to mails of one player that have changed nothing: two machines must not write for ever."""


def send_answer(house: House, row: OutboxRow) -> Literal["done", "skipped"]:
    """Answer the mail of an outbox row (payload `mail`) once; nobody is answered who may be a machine.

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
    returned_to = letter.header("return-path").strip("<> ")
    if seat.player_id != mail.player_id or seat.email is None:
        return _settled(house, mail, "left")
    if automatic(letter, returned_to, house.mailer.mail_from):
        return _settled(house, mail, "automatic")
    came = _came(Case(house, link, position, mail), letter, raw, seat.email)
    with house.games.engine.begin() as db:
        if came.outcome not in EFFECTIVE and _often(db, mail):
            inbound.settle(db, mail.id, "unanswered", None)
            return "skipped"
        inbound.settle(db, mail.id, came.outcome, clock.now())
    return send_receipt(house, row, link.seat, came.answer)


def _often(db: Connection, mail: Inbound) -> bool:
    return inbound.answered(db, mail, clock.now() - HOUR, LASTING) >= MOST_ANSWERS


def _came(case: Case, letter: Mail, raw: bytes, registered: str) -> Came:
    server, strict = case.house.settings.inbound_server, case.link.needs_sign_in
    believed = belief(letter, registered, server, own=case.mail.own, strict=strict)
    if believed != "believed":
        why = [say(case.language, "answer-not-believed-strict")] if strict else []
        # Its player is told the same, and `boardroom doctor` the difference.
        return replace(case.told("not-believed", *why), outcome=believed)
    if case.link.revoked_for in ("seen", "address") or case.link.expires_at < case.mail.received_at:
        return case.told("dead-link")
    return came_of(case, asked(case.position.ruleset, written(raw)))


def _settled(house: House, mail: Inbound, outcome: str) -> Literal["skipped"]:
    with house.games.engine.begin() as db:
        inbound.settle(db, mail.id, outcome, None)
    return "skipped"
