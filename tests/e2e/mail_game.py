"""A game whose players have nothing but their mails, over weeks that pass as fast as the service gets through them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any, Final
from uuid import UUID

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.handlers import lobby
from service.log.recorded import Recorded
from service.rules.pace import PACES
from service.runtime import Runtime
from service.store import events
from tests.builders import now_at, paced
from tests.e2e.moving_clock import MovingClock
from tests.letters import Letter, Page, buttons, letters
from tests.people import Person, alice, bob, carol, register
from tests.replying import reply, take
from workers.relay import Relay

MOVES: Final = re.compile(r"^  (\S[^=\n]*?) = ", re.MULTILINE)
ASKING: Final = ("turn", "receipt", "problem")
"""The kinds of mails that players answer if they list moves; reminders are about what they answer already."""
PATIENCE: Final = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class Received:
    """A mail, and when it arrived."""

    at: datetime
    letter: Letter

    @property
    def asks(self) -> bool:
        """Whether it asks its player for a move, for the first time."""
        return self.letter.kind in ASKING and bool(moves_in(self.letter))


Answer = Callable[["Table", Letter], None]
"""What a player does about a mail that asks for a move."""


@dataclass(frozen=True, slots=True)
class Habit:
    """How long after the arrival of a mail a player answers it, and how."""

    after: timedelta
    answer: Answer


@dataclass(slots=True)
class Table:
    """A game, and the ways in which its mails are answered."""

    clock: MovingClock
    game: UUID
    people: Sequence[Person]
    web: FlaskClient = field(init=False)

    def __post_init__(self) -> None:
        self.web = create_app(self.runtime).test_client(use_cookies=False)

    @property
    def runtime(self) -> Runtime:
        """The service."""
        return self.clock.runtime

    def write(self, letter: Letter, words: str) -> None:
        """Answer a mail."""
        assert take(self.runtime, reply(letter, words)) == "stored"

    def press(self, letter: Letter) -> None:
        """Open the mail's link, then all actions, press one of their buttons, and the second one if asked."""
        assert self.web.get(letter.path).status_code == 200
        sent = Random(letter.text.count("\n")).choice(buttons(self.web, letter.path))
        response = self.web.post(letter.path, data=sent)
        assert response.status_code == 200
        for form in Page(response.text).forms:
            if "sure" in form.hidden:
                assert self.web.post(form.action, data=form.hidden).status_code == 200


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Have the games that begin meanwhile dealt alike, and the delays of orders drawn alike."""
    drawn = Random(seed)
    random.seed(seed)
    secrets = SimpleNamespace(token_bytes=drawn.randbytes, token_hex=lambda count: drawn.randbytes(count).hex())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(lobby, "secrets", secrets)
        patched.setattr(lobby, "new_id", lambda: UUID(bytes=drawn.randbytes(16), version=4))
        yield


def begun(clock: MovingClock, ruleset: str, people: Sequence[Person], **options: Any) -> Table:
    """Return a table at the pace `daily` at its first decision."""
    position = paced(clock.runtime.games, PACES["daily"], ruleset, people, **options)
    return Table(clock, position.game.id, people)


def people_at(clock: MovingClock) -> list[Person]:
    """Register four players, of whom the first and the last read English, the second German and the third French."""
    games = clock.runtime.games
    return [alice(games), bob(games), carol(games), register(games, "Dave", "dave@example.org", "en")]


def moves_in(letter: Letter) -> list[str]:
    """Return the moves that a mail lists."""
    return MOVES.findall(letter.text)


def chosen(letter: Letter) -> str:
    """Return one of the moves that a mail lists: of the same ones always the same."""
    moves = moves_in(letter)
    return Random("\n".join(moves)).choice(moves)


def answer(table: Table, letter: Letter) -> None:
    """Answer a mail with one of its moves."""
    table.write(letter, chosen(letter))


def played(table: Table, habits: Mapping[str, Habit]) -> Iterator[Received]:
    """Let the game go on until it is over and all are told; yield the mails as they arrive.

    The habits are those of the players with these addresses; others never answer. A mail that asks takes the place of
    earlier ones that its player has not answered yet.
    """
    agenda: list[tuple[datetime, Received]] = []
    until = table.clock.now + PATIENCE
    while table.clock.now < until:
        for letter in _delivered(table):
            mail = Received(table.clock.now, letter)
            yield mail
            if mail.asks and letter.recipient in habits:
                agenda = [each for each in agenda if each[1].letter.recipient != letter.recipient]
                agenda.append((table.clock.now + habits[letter.recipient].after, mail))
        due = table.clock.next_due(table.game)
        moments = [at for at, _ in agenda] + ([due] if due else [])
        if not moments:
            return
        table.clock.move(max(table.clock.now, min(moments)))
        for entry in [each for each in agenda if each[0] <= table.clock.now]:
            agenda.remove(entry)
            letter = entry[1].letter
            habits[letter.recipient].answer(table, letter)
    raise TimeoutError("the game does not come to its end")


def is_over(table: Table) -> bool:
    """Return whether the game is over."""
    return now_at(table.runtime.games, table.game).game.status == "finished"


def log_of(table: Table) -> list[Recorded]:
    """Return the log of the game."""
    position = now_at(table.runtime.games, table.game)
    with table.runtime.engine.connect() as db:
        return events.read(db, position.codec, table.game)


def _delivered(table: Table) -> list[Letter]:
    """Have everything carried out that is due, and take the mails about the game out of the box."""
    relay, mailbox = Relay(table.runtime), table.runtime.settings.mailbox
    assert mailbox is not None
    while relay.drain():
        pass
    found = letters(mailbox, table.game)
    for path in mailbox.glob("*.eml"):
        path.unlink()
    return found
