"""Sends the mails of outbox rows over SMTP; every row is checked against the game once more before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

import structlog
from sqlalchemy import Connection

from service.handlers import links, sign_in
from service.mail import unsubscribe
from service.mail.blocks import Content
from service.mail.compose import (
    Addressee,
    ReplyOutcome,
    Turn,
    addressed,
    game_over_mail,
    receipt_mail,
    said_mail,
    started_mail,
    turn_mail,
)
from service.mail.harmless import harmless_names
from service.mail.heard import heard
from service.mail.house import MailContext
from service.mail.letter import Kind, Stamp, domain, sealed
from service.mail.pieces import MailLinks
from service.mail.sign_in import sign_in_mail
from service.shared import clock
from service.store.outbox import OutboxRow
from service.store.position import Position
from service.views.history import Recap, latest_recap
from service.views.mail import KINDS, apart
from service.views.table import View, choices, spoken

Sent = Literal["done", "skipped"]
log = structlog.get_logger()


def send_turn_mail(house: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `decision`, `seat`, maybe `goes_on`), if the decision is still due.

    Each attempt carries a link of its own and the Message-ID of the row. Raises as `Mailer.send` does.
    """
    seat, decision = row.payload["seat"], row.payload["decision"]
    with _reading(house, row, seat, lambda position: _faces(position, seat, decision)) as desk:
        if desk is None:
            return "skipped"
        lately, choices = desk.lately, desk.choices
    content = turn_mail(desk.position, seat, lately, choices, desk.way, Turn(row.payload.get("goes_on", False)))
    return _send(house, row, desk, "turn", content)


def send_started_mail(house: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`) that tells that a game has begun, until the seat is to act.

    The mail that asks it to act says all this, too. Raises as `Mailer.send` does.
    """
    seat = row.payload["seat"]
    with _reading(house, row, seat, lambda position: _watches(position, seat)) as desk:
        if desk is None or not (lately := desk.lately).since_start:
            return "skipped"
    return _send(house, row, desk, "started", started_mail(desk.position, seat, lately, desk.way))


def send_game_over_mail(house: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`) that tells how the game ended. Raises as `Mailer.send` does."""
    seat = row.payload["seat"]
    with _reading(house, row, seat, lambda position: position.game.status == "finished") as desk:
        if desk is None:
            return "skipped"
        lately = desk.lately
    return _send(house, row, desk, "over", game_over_mail(desk.position, seat, lately, desk.way))


def send_said_mail(house: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`, `since`, `until`) that tells what others said at the table.

    Raises as `Mailer.send` does.
    """
    seat = row.payload["seat"]
    with _reading(house, row, seat, lambda position: seat not in position.resigned) as desk:
        if desk is None:
            return "skipped"
        remarks = heard(desk.db, desk.position, seat, row.payload)
    return _send(house, row, desk, "message", said_mail(desk.position, seat, remarks, desk.way))


def send_receipt(house: MailContext, row: OutboxRow, seat: int, answer: ReplyOutcome) -> Sent:
    """Answer a seat's mail to the game of a row: what came of it, and the table now. Raises as `Mailer.send` does.

    If nothing could be made of it that is a problem, and the mail says so to whoever sorts by kinds.
    """
    with _reading(house, row, seat, lambda _: True) as desk:
        if desk is None:
            return "skipped"
        choices = desk.choices
    kind: Kind = "problem" if answer.refused else "receipt"
    return _send(house, row, desk, kind, receipt_mail(desk.position, seat, answer, choices, desk.way))


def send_sign_in_mail(house: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `sign_in`) with a link to sign in. Raises as `Mailer.send` does."""
    if house.mailer is None:
        return "skipped"
    now = clock.now()
    with house.games.engine.begin() as db:
        asked = sign_in.prepare(db, UUID(row.payload["sign_in"]), now)
    if asked is None:
        return "skipped"
    url = f"{house.settings.base_url}/sign-in/{asked.secret}"
    if house.settings.mailbox is not None and house.settings.private:
        # Neither the mail nor anybody who could use the link comes from outside of this machine.
        log.info("sign-in link", url=url)
    stamp = Stamp(row.id, house.mailer.mail_from, now)
    message = sealed(sign_in_mail(asked, url), stamp, "sign-in", row.payload["sign_in"])
    house.mailer.send(message, at_once=True)
    return "done"


@dataclass(frozen=True, slots=True)
class Desk:
    """What a mail of a game to a seat is written from: the game, and where the links of the mail lead.

    Its reader may wish that it stands `apart` from the other mails of the game.
    """

    house: MailContext
    db: Connection
    position: Position
    seat: int
    way: MailLinks
    apart: bool

    @property
    def language(self) -> str:
        """The language in which the ruleset speaks to the seat."""
        return spoken(self.position, self.position.seats[self.seat].language)

    @property
    def lately(self) -> Recap:
        """What has happened since the seat's own last action."""
        return latest_recap(self.db, self.position, self.seat, self.language)

    @property
    def choices(self) -> list[View]:
        """The seat's legal actions."""
        return choices(self.position, self.seat, self.language)


@contextmanager
def _reading(house: MailContext, row: OutboxRow, seat: int, due: Callable[[Position], bool]) -> Iterator[Desk | None]:
    """Read the game of a row; None if its mail is no longer due, or has no way out or no address to go to.

    While it runs, a link is made for what the game has come to. It has to be stored before the mail can be read, and no
    lock is held while a mail server makes us wait.
    """
    with house.games.engine.begin() as db:
        position = house.games.open(db, row.game_id)
        reader = position.seats[seat]
        if house.mailer is None or reader.email is None or not due(position):
            yield None
            return
        token = None
        if position.game.status == "running":
            token = links.issue(db, row.game_id, seat, position.decision, clock.now())
        kind = KINDS.get(row.kind)
        fewer = None if kind is None else unsubscribe.link(house.settings, db, row.game_id, reader.player_id, kind)
        way = MailLinks(house.settings.base_url, row.game_id, token, fewer)
        alone = apart(db, reader.player_id)
        yield Desk(house, db, harmless_names(position, reader.language), seat, way, alone)


def _send(house: MailContext, row: OutboxRow, desk: Desk, kind: Kind, content: Content) -> Literal["done"]:
    """Send a mail of a game; here every one of them gets its headers."""
    assert house.mailer is not None  # noqa: S101 # for the type checker: _reading has seen to it
    stamp = Stamp(row.id, house.mailer.mail_from, clock.now())
    token = desk.way.token
    reply_to = None if token is None else f"z+{token}@{house.settings.reply_domain or domain(stamp)}"
    whom = Addressee(row.game_id, desk.position.seats[desk.seat], reply_to, desk.way.fewer, desk.apart)
    house.mailer.send(addressed(content, kind, whom, stamp, replies=row.kind == "reply"))
    return "done"


def _watches(position: Position, seat: int) -> bool:
    return position.game.status == "running" and seat not in position.awaited | frozenset(position.resigned)


def _faces(position: Position, seat: int, decision: int) -> bool:
    return seat in position.awaited and position.decision == decision
