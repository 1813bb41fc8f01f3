"""XML, iCalendar and headers are written by one function each, and hold whatever characters a name has."""

from __future__ import annotations

import re
from email.headerregistry import Address
from email.message import EmailMessage
from pathlib import Path
from uuid import UUID
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from icalendar import Calendar
from sqlalchemy import text

from service.handlers import calendar as handlers
from service.mail.header_policy import POLICY
from service.rules.characters import interchangeable, is_interchangeable
from service.rules.svg import said
from service.shared import clock
from service.store.games import Games
from tests.builders import sealed_bids
from tests.people import alice
from tests.rest import Caller, refused

ROOT = Path(__file__).parents[2]
FORBIDDEN = ["\x01", "\x0b", "\x1f", "\x7f", "\x9f", "\ufdd0", "\ufffe", "\uffff", "\U0001ffff", "\U0010fffe"]
WRITERS = {
    r"\bET\.tostring\(|\btostring\(|saxutils|minidom": {"service/views/feed.py"},
    r"\.to_ical\(|BEGIN:V": {"service/views/calendar.py"},
    r"from html import (?:\w+, )*escape": {"service/rules/svg.py"},
    r"EmailMessage\((?!policy=POLICY)[^)]*\)|[^\w]Header\(|\bMIMEText\(": {"service/mail/header_policy.py"},
}
"""Patterns of code that writes documents by hand, and the modules that may."""


def sources() -> list[Path]:
    return [path for room in ("service", "workers", "schemas") for path in sorted((ROOT / room).rglob("*.py"))]


@pytest.mark.parametrize("pattern", WRITERS)
def test_nothing_else_writes_documents_by_hand(pattern: str) -> None:
    found = {str(path.relative_to(ROOT)) for path in sources() if re.search(pattern, path.read_text())}
    assert found <= WRITERS[pattern]


@pytest.mark.parametrize("bad", FORBIDDEN, ids=ascii)
def test_a_name_with_a_character_that_no_format_carries_is_refused(bad: str, api: Caller, games: Games) -> None:
    refused(api.post("/players", {"name": f"Bob{bad}"}), 422, "validation")
    me = api.by(alice(games))
    refused(me.patch("/me", {"name": f"Bob{bad}b"}), 422, "validation")
    table = {"ruleset": "sealed-bids", "seats": 2, "name": f"Sunday{bad}duel"}
    refused(me.post("/games", table), 422, "validation")


def test_a_name_of_before_breaks_neither_the_feed_nor_a_calendar(app: Flask, games: Games) -> None:
    # given a table and a player whose names were taken when every character could be in one
    position = sealed_bids(games)
    odd, game = "B\x01o\ufffe\uffffb\x7f", position.game.id
    with games.engine.begin() as db:
        db.execute(
            text("update player set name = :odd where id = :id"), {"odd": odd, "id": position.seats[0].player_id}
        )
        db.execute(text("update game set name = :odd where id = :id"), {"odd": odd, "id": game})
        _due(games, db, game)
    # when programs read what tells of them
    browser = app.test_client()
    feed = browser.get(f"/games/{game}/events.atom")
    secret = handlers.renew(games, position.seats[0].player_id, clock.now())
    calendar = browser.get(f"/calendar/{secret}.ics")
    # then both are what their grammars allow
    root = ET.fromstring(feed.data)
    assert "B\ufffdo\ufffd\ufffdb\ufffd" in [each.text for each in root.iter()]
    assert all(map(is_interchangeable, root.itertext()))
    (event,) = Calendar.from_ical(calendar.data).walk("VEVENT")
    assert "B\ufffdo" in str(event["SUMMARY"])
    assert is_interchangeable(calendar.get_data(as_text=True).replace("\r\n", "\n"))


def _due(games: Games, db: object, game: UUID) -> None:
    change = text("""
update game set since = now(), deadlines = array(select now() + interval '2 days' from unnest(awaited)) where id = :game
""")
    db.execute(change, {"game": game})  # type: ignore[attr-defined]


def test_headers_of_mails_have_no_control_characters_and_no_isolates() -> None:
    message = EmailMessage(policy=POLICY)
    message["Subject"] = "Your move: \u2068\u05d3\u05e0\u05d4\u2069 and B\x01o\uffffb"
    message["To"] = Address("\u2068\u05d3\u05e0\u05d4\u2069\x7f", "dana", "example.org")
    assert message["Subject"] == "Your move: \u05d3\u05e0\u05d4 and B o b"
    assert message["To"].addresses[0].display_name.strip() == "\u05d3\u05e0\u05d4"
    assert message.as_bytes().isascii()


def test_a_header_takes_no_second_line() -> None:
    message = EmailMessage(policy=POLICY)
    with pytest.raises(ValueError, match="linefeed or carriage return"):
        message["Subject"] = "Your move\nBcc: everybody@example.org"


@pytest.mark.parametrize("bad", [*FORBIDDEN, "\ud800"], ids=ascii)
def test_pictures_and_documents_replace_the_same_characters(bad: str) -> None:
    assert interchangeable(f"a{bad}b") == "a\ufffdb"
    assert said(f"a{bad}b") == "a\ufffdb"
