"""`python -m tests.chaos [availability]`: plays against a nemesis, heals everything, and judges; SEED and SECONDS.

The figures are JSON objects, one a line. The exit code is 1 if anything was found, and each finding is a line, too.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from random import Random, SystemRandom
from threading import Thread
from time import monotonic
from uuid import UUID

from service.processes import wait_until
from tests.chaos.book import Book
from tests.chaos.client import Client
from tests.chaos.effects import Effects
from tests.chaos.figures import availability, outages
from tests.chaos.followers import Follower
from tests.chaos.judge import Judge
from tests.chaos.mail_server import MailServer
from tests.chaos.nemesis import Nemesis
from tests.chaos.players import Player, Register, Table, newcomers, open_table
from tests.chaos.prober import Prober
from tests.chaos.running import Running
from tests.chaos.writers import Mailing, Way, Writer
from tests.listener import Listener

CALM_SECONDS = {"chaos": 2.0, "availability": 15.0}
TABLES = {"chaos": (1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 4), "availability": (1, 1, 2, 3)}
"""How many sit at each table that is played over REST."""
WRITERS = {"chaos": 3, "availability": 1}
"""So many tables are played by links, and as many by replies."""
FOLLOWERS = {"chaos": 5, "availability": 2}
LEAST_KILLS = 15
"""In a minute of chaos."""
SETTLE_SECONDS = 120
HOOKED = ["game.turn", "game.over"]


class Run:
    """One run of a `mode`; the seed decides what is played and what is broken, and when."""

    def __init__(self, stack: ExitStack, folder: Path, mode: str, seed: str) -> None:
        self.mode = mode
        self.book = Book()
        self.dice = Random(f"{mode}:{seed}")
        self.mail = stack.enter_context(MailServer())
        self.hooks = stack.enter_context(Listener())
        told = {"SMTP_URL": self.mail.url, "WEBHOOKS_INSECURE": "true", "MAILBOX": str(folder / "mailbox")}
        self.running = Running(folder, self.book, told)
        stack.callback(self._tidy_up)
        self.register = Register()
        self.client = Client(self.running.port, self.book)
        self.mailing = Mailing(self.client, self.book, self.register, self.mail, self.running.inbound)
        self.followers: list[Follower] = []

    def play(self, seconds: float) -> None:
        """Start everything, let it be broken for so long, and judge."""
        book, running = self.book, self.running
        running.start()
        parts = {name: len(found) for name, found in running.living().items() if not name.startswith("postgres ")}
        book.say("parts", first_start_s=running.starts[0], **parts)
        prober = Prober(running.port, book, self._probed())
        busy = self._begin()
        book.thread(prober.run, "prober")
        began = monotonic()
        book.closing.wait(CALM_SECONDS[self.mode])
        nemesis = Nemesis(running, book, self.mail, self.hooks, Random(self.dice.random()))
        broken = monotonic()
        breaker = book.thread(nemesis.rotation if self.mode == "availability" else nemesis.chaos, "nemesis")
        book.closing.wait(seconds)
        if self.mode == "chaos":
            # On a busy machine starts take up the time: then it may take twice as long.
            wait_until(lambda: nemesis.kills >= LEAST_KILLS * seconds / 60 or not breaker.is_alive(), seconds)
        ended = monotonic()
        book.closing.set()
        breaker.join()
        nemesis.heal()
        outages(book, prober, nemesis.faults, ended)
        if self.mode == "availability":
            availability(book, prober, (began, broken, ended))
        else:
            book.expect(nemesis.kills >= LEAST_KILLS * seconds / 60, f"there were only {nemesis.kills} kills")
        book.join(busy, SETTLE_SECONDS)
        self._judge(nemesis, parts)

    def _judge(self, nemesis: Nemesis, parts: dict[str, int]) -> None:
        book, dice = self.book, Random(self.dice.random())
        judge, effects = Judge(self.running, book, self.register, self.client), Effects(self.running, book)
        effects.parts(parts)
        judge.nobody_is_stuck(dice)
        effects.drained()
        judge.keys()
        judge.replays(dice)
        effects.written(self.mailing)
        effects.mails(self.mail, nemesis.faults)
        effects.hooks(self.hooks)
        judge.streams(self.followers)
        judge.audit()
        book.say("answers", **book.counted("answer "))
        book.over.set()
        for each in self.followers:
            each.hang_up()
        effects.stopped()
        book.say("over", findings=len(book.findings), starts_s=self.running.starts, load=os.getloadavg()[0])

    def _begin(self) -> list[Thread]:
        """Begin to play, to write and to follow; return the threads that end when the run closes."""
        busy: list[Thread] = []
        for number, seats in enumerate(TABLES[self.mode]):
            player = Player(self.client, self.book, self.register, Random(self.dice.random()), seats)
            busy.append(self.book.thread(player.run, f"table {number}"))
        for number in range(2 * WRITERS[self.mode]):
            way: Way = "link" if number % 2 else "reply"
            writer = Writer(self.mailing, self._correspondents(number), Random(self.dice.random()), way)
            busy.append(self.book.thread(writer.run, f"{way} table {number}"))
        for number in range(FOLLOWERS[self.mode]):
            self.followers.append(Follower(self.running.port, self.book, self.register, Random(self.dice.random())))
            self.book.thread(self.followers[-1].run, f"follower {number}")
        return busy

    def _correspondents(self, number: int) -> list[tuple[UUID, str, str]]:
        """Register two people with addresses, one of whom has a webhook."""
        found = []
        for player, token in newcomers(self.client, 2):
            email = f"player{len(found)}.{number}@example.org"
            with self.running.database() as db:
                db.execute("update player set email = %s where id = %s", (email, player))
            found.append((player, token, email))
        self.client.by(found[0][1]).post("/webhooks", {"url": self.hooks.url, "events": HOOKED})
        return found

    def _probed(self) -> Table:
        """Open the table that is only looked at."""
        return open_table(self.client, Register(), newcomers(self.client, 2))

    def _tidy_up(self) -> None:
        self.book.closing.set()
        self.book.over.set()
        if not self.running.ended:
            self.running.stop()


def main(words: list[str]) -> int:
    """Run; return 0 if nothing was found."""
    mode = words[0] if words else "chaos"
    seed = os.environ.get("SEED") or str(SystemRandom().randrange(10**6))
    seconds = float(os.environ.get("SECONDS") or 60)
    folder = Path(tempfile.mkdtemp(prefix="boardroom-chaos-"))
    folder.chmod(0o711)
    began = monotonic()
    with ExitStack() as stack:
        run = Run(stack, folder, mode, seed)
        run.book.say("run", mode=mode, seed=seed, seconds=seconds, folder=folder)
        run.play(seconds)
    findings = run.book.findings
    if findings:
        print(f"SEED={seed} SECONDS={seconds:g}: {len(findings)} findings; logs are in {folder}", file=sys.stderr)
    else:
        shutil.rmtree(folder)
    print(f"{mode}, seed {seed}: {monotonic() - began:.0f} s", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
