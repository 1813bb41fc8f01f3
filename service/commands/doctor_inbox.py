"""Checks whether an inbox of this service takes in what comes back: answers to mails, and mails that bounce."""

from __future__ import annotations

import smtplib
from typing import Final, Literal

from sqlalchemy.exc import SQLAlchemyError

from service.inbound.asking import is_our_inbox
from service.inbound.listening import place_of
from service.mail.outage import SILENT, failure
from service.settings import Settings
from service.store.engine import build_engine
from service.store.heartbeats import heard_elsewhere

SECONDS: Final = 5.0
Found = tuple[Literal["ok", "warn", "fail"], str, str]
"""The result, what was found, and what to do."""


def look_at_inbox(settings: Settings, listen: str) -> Found:
    """Return what is found on the address that the inbox has to listen on."""
    where = place_of(listen)
    if not settings.mail_keys:
        return "fail", "INBOUND_LISTEN is set without MAIL_KEY, so no inbox starts", "Set MAIL_KEY."
    try:
        if is_our_inbox(settings, listen, SECONDS):
            return "ok", f"answers to mails are taken in at {where}", ""
        strange = "it takes no mail for this service"
    except smtplib.SMTPException as error:
        silent = failure(error) == SILENT
        strange = f"it says nothing for {SECONDS:.0f} s" if silent else "it does not greet as a mail server does"
    except OSError as error:
        if _listens_elsewhere(settings):
            return "ok", "an inbox on another machine takes answers to mails in", ""
        todo = "Start `python -m workers.inbox`, and look at INBOUND_LISTEN."
        reason = error.strerror or type(error).__name__
        return "fail", f"nobody takes answers to mails in at {where}: {reason}", todo
    todo = (
        "End it and the inbox will listen, or set INBOUND_LISTEN to another port. If it is the inbox, restart it: it "
        "hangs, or has another MAIL_KEY."
    )
    return "fail", f"another program listens at {where}, in the inbox's place: {strange}", todo


def _listens_elsewhere(settings: Settings) -> bool:
    """Return whether an inbox on another machine, or in another container, has sent a heartbeat: it listens then."""
    engine = build_engine(settings.database_url, pooler=settings.pooler)
    try:
        with engine.connect() as db:
            return heard_elsewhere(db, "inbox")
    except SQLAlchemyError:
        return False
    finally:
        engine.dispose()
