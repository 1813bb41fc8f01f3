"""Cast of a run: the servers, the people who play, write and follow, and the judges afterwards."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Thread
from uuid import UUID

from service.local.supervisor import wait_until
from tests.chaos.book import Book
from tests.chaos.client import Client
from tests.chaos.effects import Effects
from tests.chaos.followers import Follower
from tests.chaos.judge import Judge
from tests.chaos.mail_server import MailServer
from tests.chaos.nemesis import Fault
from tests.chaos.players import Player, Register, newcomers
from tests.chaos.running import Running
from tests.chaos.writers import Mailing, Way, Writer
from tests.listener import Listener

SETTLE_SECONDS = 120
HOOKED = ["game.turn", "game.over"]


@dataclass(frozen=True, slots=True)
class Cast:
    """Seats of each table played over REST, number of tables that write mails, number of followers of streams."""

    tables: tuple[int, ...]
    links: int = 0
    replies: int = 0
    followers: int = 0


class Run:
    """A `boardroom up` with people who use it; leaving the stack ends all of it. The seed decides what is played."""

    def __init__(
        self, stack: ExitStack, folder: Path, seed: str, cast: Cast, told: Mapping[str, str] | None = None
    ) -> None:
        self.book = Book()
        self.dice = Random(seed)
        self.mail = stack.enter_context(MailServer())
        self.hooks = stack.enter_context(Listener())
        own = {"SMTP_URL": self.mail.url, "WEBHOOKS_INSECURE": "true", "MAILBOX": str(folder / "mailbox")}
        self.clocks = Path(told["CHAOS_CLOCKS"]) if told and "CHAOS_CLOCKS" in told else None
        self.running = Running(folder, self.book, {**own, **(told or {})})
        stack.callback(self._tidy_up)
        self.register = Register()
        self.client = Client(self.running.port, self.book)
        self.mailing = Mailing(self.client, self.book, self.register, self.mail, self.running.inbound)
        self.followers: list[Follower] = []
        self.parts: dict[str, int] = {}
        self._cast = cast
        self._busy: list[Thread] = []

    def begin(self) -> None:
        """Start everything, and have the people begin."""
        self.running.start()
        living = self.running.living().items()
        self.parts = {name: len(found) for name, found in living if not name.startswith("postgres ")}
        self.book.say("parts", start_s=self.running.starts[0], **self.parts)
        for number, seats in enumerate(self._cast.tables):
            player = Player(self.client, self.book, self.register, Random(self.dice.random()), seats)
            self._busy.append(self.book.thread(player.run, f"table {number}"))
        ways: dict[Way, int] = {"link": self._cast.links, "reply": self._cast.replies}
        for number, way in enumerate(way for way, tables in ways.items() for _ in range(tables)):
            writer = Writer(self.mailing, self._correspondents(number), Random(self.dice.random()), way)
            self._busy.append(self.book.thread(writer.run, f"{way} table {number}"))
        for number in range(self._cast.followers):
            follower = Follower(self.running.port, self.book, self.register, Random(self.dice.random()))
            self.followers.append(follower)
            self.book.thread(follower.run, f"follower {number}")

    def go_on(self, number: int = 15) -> None:
        """Wait until so many more actions are acknowledged."""
        before = self.acknowledged
        assert wait_until(lambda: self.acknowledged >= before + number, SETTLE_SECONDS), self.book.refusal

    def settle(self) -> None:
        """Have nothing new begun, and wait until everybody has their answer."""
        self.book.closing.set()
        self.book.join(self._busy, SETTLE_SECONDS)

    def judge(self, faults: list[Fault]) -> None:
        """Look at everything, and stop."""
        book, dice = self.book, Random(self.dice.random())
        judge, effects = Judge(self.running, book, self.register, self.client), Effects(self.running, book)
        effects.parts(self.parts)
        judge.nobody_is_stuck(dice)
        effects.drained()
        judge.keys()
        judge.replays(dice)
        effects.written(self.mailing)
        effects.mails(self.mail, faults)
        effects.hooks(self.hooks)
        judge.streams(self.followers)
        judge.audit()
        book.say("answers", **book.counted("answer "))
        book.over.set()
        for each in self.followers:
            each.hang_up()
        effects.stopped()
        book.say("over", findings=len(book.findings), starts_s=self.running.starts, load=round(os.getloadavg()[0], 1))

    @property
    def acknowledged(self) -> int:
        """Number of acknowledged actions so far."""
        return sum(each.acked for each in list(self.register.acts))

    def _correspondents(self, number: int) -> list[tuple[UUID, str, str]]:
        """Register two people with addresses, one of whom has a webhook."""
        found: list[tuple[UUID, str, str]] = []
        for player, token in newcomers(self.client, 2):
            email = f"player{len(found)}.{number}@example.org"
            with self.running.database() as db:
                db.execute("update player set email = %s, email_confirmed = true where id = %s", (email, player))
            found.append((player, token, email))
        self.client.by(found[0][1]).post("/webhooks", {"url": self.hooks.url, "events": HOOKED})
        return found

    def _tidy_up(self) -> None:
        self.book.closing.set()
        self.book.over.set()
        if not self.running.ended:
            self.running.stop()
