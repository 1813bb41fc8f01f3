"""Reading mails and pages the way a player does: the text, its link, and the forms behind that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from flask.testing import FlaskClient
from sqlalchemy import text
from werkzeug.test import TestResponse

from service.handlers import links
from service.mail.compose import short_hash
from service.shared import clock
from service.store import outbox
from service.store.games import Games, Position
from service.store.outbox import OutboxRow

PRESSED: Final = {"press": "yes"}
"""Data of a form without fields of its own."""
LINK = re.compile(r"^https?://[a-z0-9/.:_-]+/t/[a-z2-7]{26}$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail that has arrived: its bytes, and what they mean."""

    raw: bytes
    message: EmailMessage

    @property
    def recipient(self) -> str:
        """The address that it went to."""
        return str(self.message["To"].addresses[0].addr_spec)

    @property
    def text(self) -> str:
        """Text that the player reads."""
        return text_of(self.message)

    @property
    def kind(self) -> str:
        """Kind of the mail, by which mail programs sort."""
        return str(self.message["List-Id"]).removeprefix("<").partition(".")[0]

    @property
    def asks(self) -> bool:
        """Return whether the mail asks for a move, and so has a link."""
        return LINK.search(self.text) is not None

    @property
    def link(self) -> str:
        """The one link, which has a line of its own."""
        (found,) = {*LINK.findall(self.text)}
        return str(found)

    @property
    def path(self) -> str:
        """The link without the house's address."""
        return urlsplit(self.link).path

    @property
    def token(self) -> str:
        """The secret part of the link."""
        return self.path.rpartition("/")[2]


def text_of(message: EmailMessage) -> str:
    """Return the plain text of a mail."""
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def letters(mailbox: Path, game: UUID) -> list[Letter]:
    """Return the mails about the game, in the order of their arrival."""
    arrived = [path.read_bytes() for path in sorted(mailbox.glob("*.eml"))]
    read = [Letter(raw, message_from_bytes(raw, policy=policy.default)) for raw in arrived]
    return [letter for letter in read if is_about(letter.message, game)]


def is_about(message: EmailMessage, game: UUID) -> bool:
    """Return whether a mail is about the game, by the header that providers count by."""
    return f":{short_hash(game)[:8]}:" in str(message["Feedback-ID"])


def threads(mails: Sequence[EmailMessage]) -> list[set[int]]:
    """Return the mails by thread, as RFC 5256 (REFERENCES, after Jamie Zawinski) has it: by whatever ids they share."""
    found: list[tuple[set[str], set[int]]] = []
    for number, mail in enumerate(mails):
        ids = {each for name in ("Message-ID", "References", "In-Reply-To") for each in str(mail[name] or "").split()}
        joined = [each for each in found if each[0] & ids]
        found = [each for each in found if not each[0] & ids]
        found.append((ids.union(*(each[0] for each in joined)), {number}.union(*(each[1] for each in joined))))
    return [numbers for _, numbers in found]


def turn_mails(games: Games, position: Position) -> list[OutboxRow]:
    """Return the pending turn mails of the game, by decision and seat."""
    query = text("select id from outbox where game_id = :game and kind = 'turn-mail'")
    with games.engine.begin() as db:
        found = [outbox.read(db, row.id) for row in db.execute(query, {"game": position.game.id})]
    return sorted((row for row in found if row), key=lambda row: (row.payload["decision"], row.payload["seat"]))


@dataclass(slots=True)
class Form:
    """A form of a page: where it goes, what it always sends, and the values of its buttons."""

    action: str
    hidden: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)

    def presses(self) -> Iterator[dict[str, str]]:
        """Yield what each button with a value sends."""
        for name, value in self.buttons:
            yield {**self.hidden, name: value}


class Page(HTMLParser):
    """The forms, links and elements of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the element."""
        given = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        if tag == "form":
            self.forms.append(Form(given["action"]))
        elif tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "button" and "name" in given:
            self.forms[-1].buttons.append((given["name"], given["value"]))
        elif tag == "input" and given.get("type") == "hidden":
            self.forms[-1].hidden[given["name"]] = given["value"]
        elif tag == "input" and self.forms:
            self.forms[-1].inputs.append(given["name"])

    @property
    def confirm(self) -> Form:
        """The form that plays the action of which the page shows the preview."""
        (form,) = (form for form in self.forms if "notation" in form.hidden)
        return form

    @property
    def picks(self) -> set[str]:
        """The addresses of the page's links that pick something, without their fragments."""
        return {each.partition("#")[0] for each in self.links if "kind=" in each}

    @property
    def offers(self) -> list[dict[str, str]]:
        """Data that each button of the page would send."""
        return [sent for form in self.forms for sent in form.presses()]


def link(games: Games, position: Position, seat: int, decision: int = 1) -> str:
    """The path of a fresh link for the seat's answer to the decision."""
    with games.engine.begin() as db:
        return "/t/" + links.issue(db, position.game.id, seat, decision, clock.now())


def buttons(web: FlaskClient, path: str) -> list[dict[str, str]]:
    """Return the data that the buttons of all actions behind a link would send."""
    return Page(web.get(f"{path}/all/0").text).offers


def press(web: FlaskClient, path: str, notation: str, **fields: Any) -> TestResponse:
    """Send the form of a page."""
    return web.post(path, data={"decision": 1, "notation": notation, **fields})
