"""People who play by their mails: one table presses the links' buttons, another one writes answers."""

from __future__ import annotations

import re
import smtplib
from dataclasses import dataclass, field
from email.message import EmailMessage
from random import Random
from time import monotonic
from typing import Literal
from uuid import UUID

from tests.chaos.book import Book
from tests.chaos.client import Answer, Client, Unresolved, form
from tests.chaos.mail_server import MailServer
from tests.chaos.players import Register, Table, act, open_table
from tests.letters import Form, Letter, Page
from tests.replying import place, reply

NOTATION = re.compile(r"^  ([A-Z0-9@][^=\n]*?) = ", re.MULTILINE)
LINK = re.compile(r"^/t/[a-z2-7]{26}$")
SILENCE = 6.0
"""Seconds without a mail after which a table plays one action over REST: not every decision is asked for by mail."""
POLL = 0.2
AGAIN_SECONDS = 0.4

Way = Literal["link", "reply"]


@dataclass(slots=True)
class Written:
    """What was played by a link, or handed in as a reply; `acked` if the server has said that it was taken."""

    table: Table
    seat: int
    decision: int
    letter: Letter
    message: EmailMessage | None = None
    acked: bool = False


@dataclass(slots=True)
class Mailing:
    """What the people need who play by mail."""

    client: Client
    book: Book
    register: Register
    server: MailServer
    inbound: str
    written: list[Written] = field(default_factory=list)


class Writer:
    """Two people, both with addresses, who play one table by mail; `people` are their ids, tokens and addresses."""

    def __init__(self, mailing: Mailing, people: list[tuple[UUID, str, str]], dice: Random, way: Way) -> None:
        self._mailing = mailing
        self._people = people
        self._dice = dice
        self._way = way

    def run(self) -> None:
        """Play until the run closes."""
        mailing, book = self._mailing, self._mailing.book
        try:
            table = open_table(mailing.client, mailing.register, [(each, token) for each, token, _ in self._people])
            table.emails = [email for _, _, email in self._people]
            heard = monotonic()
            while not (book.closing.wait(POLL) or table.finished):
                letters = mailing.server.letters(table.game)
                for letter in letters:
                    heard = monotonic()
                    self._answer(table, letter)
                if monotonic() - heard > SILENCE:
                    heard = monotonic()
                    act(mailing.client, mailing.register, table, self._dice)
        except Unresolved:
            return

    def _answer(self, table: Table, letter: Letter) -> None:
        if not letter.asks or letter.recipient not in table.emails:
            return
        seat = table.emails.index(letter.recipient)
        if self._way == "link":
            self._press(table, seat, letter, letter.path)
        elif moves := NOTATION.findall(letter.text):
            self._write(table, seat, letter, self._dice.choice(moves))

    def _press(self, table: Table, seat: int, letter: Letter, path: str) -> None:
        """Press a button of all actions behind a link, the second one if asked to, and go on while the turn does."""
        client = self._mailing.client
        page = client.until_definite("GET", f"{path}/all/0")
        forms = [each for each in Page(page.text).forms if each.buttons] if page.status == 200 else []
        if not forms:
            return
        chosen = self._dice.choice(forms)
        sent = self._dice.choice(list(chosen.presses()))
        if not str(sent.get("decision", "")).isdigit():
            return
        said = Written(table, seat, int(sent["decision"]), letter)
        self._mailing.written.append(said)
        answer = client.until_definite("POST", chosen.action or path, form(sent))
        sure = self._sure(answer)
        if sure is not None:
            answer = client.until_definite("POST", sure.action, form(sure.hidden))
        said.acked = answer.status == 200
        onward = [link for link in Page(answer.text).links if LINK.match(link) and link != path] if said.acked else []
        if onward and not self._mailing.book.closing.is_set():
            self._press(table, seat, letter, onward[0])

    def _sure(self, answer: Answer) -> Form | None:
        if answer.status != 200:
            return None
        return next((each for each in Page(answer.text).forms if "sure" in each.hidden), None)

    def _write(self, table: Table, seat: int, letter: Letter, move: str) -> None:
        """Hand an answer in, again and again until the server takes or refuses it; always the same mail."""
        message = reply(letter, f"{move}\n\n> {letter.text}")
        said = Written(table, seat, 0, letter, message)
        self._mailing.written.append(said)
        while not self._mailing.book.over.is_set():
            try:
                with smtplib.LMTP(*place(self._mailing.inbound), timeout=10) as door:
                    door.send_message(message)
            except smtplib.SMTPRecipientsRefused as refused:
                if all(code >= 500 for code, _ in refused.recipients.values()):
                    return
            except smtplib.SMTPResponseException as refused:
                if refused.smtp_code >= 500:
                    self._mailing.book.wrong(f"a reply was refused with {refused.smtp_code} {refused.smtp_error!r}")
                    return
            except (OSError, smtplib.SMTPException):
                self._mailing.book.count("inbound out of reach")
            else:
                said.acked = True
                return
            self._mailing.book.over.wait(AGAIN_SECONDS)
