"""Drafts of mails of a game: read the game of an outbox row once more, and send what a mail about it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import structlog
from sqlalchemy import Connection

from service.handlers import links
from service.handlers.mail_preferences import note_mailed
from service.mail import unsubscribe
from service.mail.blocks import Content
from service.mail.compose import Addressee, Kind, Stamp, address_game_mail, sender_domain
from service.mail.context import MailContext
from service.mail.game_blocks import MailLinks
from service.mail.sentences import Times, times_of
from service.mail.strip_links import with_safe_names
from service.mail.subject_line import with_namesakes
from service.shared import clock
from service.store.games import Position
from service.store.outbox import OutboxRow
from service.views.history import Recap, latest_recap
from service.views.messages import KINDS, apart
from service.views.pace import away_until
from service.views.table import spoken

Sent = Literal["done", "skipped"]
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Draft:
    """Material for a mail of a game to a seat: the game, and the addresses of its links.

    The mail is in a thread of its own (`apart`) if the recipient has chosen so.
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
        """Recap of events since the seat's last action."""
        return latest_recap(self.db, self.position, self.seat, self.language)


@contextmanager
def open_draft(
    context: MailContext, row: OutboxRow, seat: int, due: Callable[[Position], bool]
) -> Iterator[Draft | None]:
    """Read the game of a row; None if its mail is no longer due, or without mail server or address.

    For a running game, a link to the current decision is stored; its commit has to precede the mail. No lock is held
    during the talk with the mail server.
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
        times = times_of(shown, seat, now, away_until(db, shown, seat, now))
        yield Draft(context, db, shown, seat, urls, alone, times)


def send_draft(context: MailContext, row: OutboxRow, draft: Draft, kind: Kind, content: Content) -> Literal["done"]:
    assert context.mailer is not None  # noqa: S101 # for the type checker: open_draft has seen to it
    stamp = Stamp(row.id, context.mailer.mail_from, clock.now())
    token = draft.urls.token
    reply_to = None if token is None else f"z+{token}@{context.settings.reply_domain or sender_domain(stamp)}"
    whom = Addressee(row.game_id, draft.position.seats[draft.seat], reply_to, draft.urls.fewer, draft.apart)
    context.mailer.send(address_game_mail(content, kind, whom, stamp, replies=row.kind == "reply"))
    return "done"


def is_turn_due(position: Position, seat: int, decision: int) -> bool:
    return seat in position.awaited and position.decision == decision
