"""Check all but the games after a run: mails, replies, webhooks, the outbox, and the processes."""

from __future__ import annotations

from collections import Counter, defaultdict
from hashlib import sha256
from itertools import pairwise
from time import monotonic

from service.handlers.capability import stored
from service.mail.compose import short_hash
from tests.chaos.book import Book
from tests.chaos.mail_server import Arrival, MailServer
from tests.chaos.nemesis import Fault
from tests.chaos.running import Running
from tests.chaos.writers import Mailing, Written
from tests.listener import Listener

DRAIN_SECONDS = 180
GONE_SECONDS = 20
MARGIN = 1.0
"""Seconds by which the clocks of threads may differ in telling what came first."""
MOST_COPIES = 3
_MAILS = ("turn-mail", "turn-withdrawn", "started", "game-over", "reply", "account-changed")
"""The kinds of mails that are sent in a run; a Message-ID follows from the row and its game, or else its player."""
_DUE = "select kind, count(*) from outbox where state = 'pending' and due_at <= clock_timestamp() group by kind"
_HURRY = "update outbox set not_before = clock_timestamp() where state = 'pending' and due_at <= clock_timestamp()"
_ROWS = """
select id, kind, coalesce(game_id::text, payload ->> 'player'), state, dedupe_key, last_error
  from outbox where kind = any(%s)
"""
_UNTOLD = """
select g.id, g.faces, s.seat from game g join seat s on s.game_id = g.id and s.seat = any(g.awaited)
join player p on p.id = s.player_id
where g.status = 'running' and p.email is not null and not exists (
  select from outbox o where o.kind = 'turn-mail' and o.game_id = g.id and (o.payload ->> 'decision')::int = g.faces
  and (o.payload ->> 'seat')::int = s.seat)
"""
_HOOKS = "select d.id, o.state, o.last_error from webhook_delivery d join outbox o on o.id = d.outbox_id"
_INBOUND = "select digest, outcome from inbound_mail"
_PLAYED = "select decision, seat from event where game_id = %s and action is not null and door = 'link'"
_IDLE = """
select pid, query from pg_stat_activity
where state like 'idle in transaction%' and clock_timestamp() - state_change > interval '10 s'
"""


class Effects:
    """Looks at everything that games bring about."""

    def __init__(self, running: Running, book: Book) -> None:
        self._running = running
        self._book = book

    def drained(self) -> None:
        """All that is due is done; what faults have put off is due at once."""
        began = monotonic()
        left: dict[str, int] = {}

        def nothing_due() -> bool:
            nonlocal left
            with self._running.database() as db:
                left = dict(db.execute(_DUE).fetchall())
            return not left

        with self._running.database() as db:
            db.execute(_HURRY)
        done = self._book.comes_true(nothing_due, DRAIN_SECONDS)
        self._book.expect(done, f"after {DRAIN_SECONDS} s the outbox still has {left}")
        self._book.say("outbox", drained_after_s=round(monotonic() - began, 1), left=left)

    def mails(self, server: MailServer, faults: list[Fault]) -> None:
        """Every mail has left, once; another copy only for a fault between."""
        book = self._book
        with self._running.database() as db:
            rows = db.execute(_ROWS, (list(_MAILS),)).fetchall()
            untold = db.execute(_UNTOLD).fetchall()
        domain = "localhost"
        due = {f"<o{short_hash(row[0], row[2])}@{domain}>": row for row in rows}
        copies: dict[str, list[Arrival]] = defaultdict(list)
        for each in list(server.arrived):
            copies[each.id].append(each)
        missing = [row for name, row in due.items() if row[3] in ("done", "dead") and name not in copies]
        strange = copies.keys() - due.keys()
        unexplained = [name for name, found in copies.items() if not _explained(found, faults)]
        book.expect(not missing, f"{len(missing)} mails are settled that never arrived: {missing[:3]}")
        book.expect(not strange, f"{len(strange)} mails came of no row of the outbox: {sorted(strange)[:3]}")
        book.expect(not unexplained, f"{len(unexplained)} mails came more often than faults can explain: {unexplained}")
        book.expect(not untold, f"players to act who were never told: {untold[:3]}")
        number = Counter(len(each) for each in copies.values())
        states = dict(Counter(row[3] for row in rows))
        book.say("mails", rows=states, arrived=len(server.arrived), ids_by_copies=dict(sorted(number.items())))

    def written(self, mailing: Mailing) -> None:
        """Expect every action played by link in the log, and every accepted reply to be read."""
        links = [each for each in mailing.written if each.message is None]
        replies = [each for each in mailing.written if each.message is not None]
        lost = []
        with self._running.database() as db:
            read = dict(db.execute(_INBOUND).fetchall())
            for each in links:
                played = db.execute(_PLAYED, (each.table.game,)).fetchall()
                if each.acked and (each.decision, each.seat) not in played:
                    lost.append((each.table.game, each.decision, each.seat))
        unread = [each for each in replies if each.acked and read.get(_digest(each)) is None]
        self._book.expect(not lost, f"{len(lost)} actions by links were shown as played and are not in the log: {lost}")
        self._book.expect(not unread, f"{len(unread)} replies were taken in and never read")
        outcomes = dict(Counter(str(each) for each in read.values()))
        acked = [sum(each.acked for each in kind) for kind in (links, replies)]
        self._book.say(
            "by mail", links=acked[0], replies=acked[1], lost=len(lost), unread=len(unread), came_to=outcomes
        )

    def hooks(self, receiver: Listener) -> None:
        """Every message that is done was received, always with the same body; none came that was never due."""
        bodies: dict[str, list[bytes]] = defaultdict(list)
        for each in list(receiver.received):
            bodies[each.headers["webhook-id"]].append(each.body)
        with self._running.database() as db:
            rows = {f"msg_{row[0].hex}": row[1:] for row in db.execute(_HOOKS).fetchall()}
        missing = [name for name, (state, _) in rows.items() if state == "done" and name not in bodies]
        undone = [row for row in rows.values() if row[0] not in ("done", "skipped")]
        other = [name for name, found in bodies.items() if len(set(found)) > 1]
        strange = bodies.keys() - rows.keys()
        self._book.expect(not missing, f"{len(missing)} messages are done that no webhook has received: {missing[:3]}")
        self._book.expect(not undone, f"{len(undone)} messages to webhooks are not delivered: {undone[:3]}")
        self._book.expect(not other, f"messages came with another body under the same id: {other[:3]}")
        self._book.expect(not strange, f"messages came that are none of ours: {sorted(strange)[:3]}")
        again = sum(len(found) - 1 for found in bodies.values())
        self._book.say("webhooks", messages=len(rows), received=len(bodies), again=again)

    def parts(self, wanted: dict[str, int]) -> None:
        """Every part is there again, as often as at the beginning, and somebody has waited for each dead process."""
        running = self._running

        def missing() -> list[str]:
            living = running.living()
            return [name for name, number in wanted.items() if len(living.get(name, [])) < number]

        self._book.comes_true(lambda: not missing() and not running.unburied(), GONE_SECONDS)
        self._book.expect(not missing(), f"parts that nobody has started again: {missing()}")
        unburied = running.unburied()
        self._book.expect(not unburied, f"dead processes that nobody has waited for: {unburied}")
        with self._running.database() as db:
            idle = db.execute(_IDLE).fetchall()
        self._book.expect(not idle, f"transactions that somebody has left open: {idle}")

    def stopped(self) -> None:
        """Expect an orderly stop on request, with neither a process nor a folder of sockets left behind."""
        code = self._running.stop()
        self._book.expect(code == 0, f"it ended with {code} when told to stop: {self._running.said[-300:]}")
        self._book.comes_true(lambda: not self._running.left_over(), GONE_SECONDS)
        left = [(each.part, each.pid) for each in self._running.left_over()]
        self._book.expect(not left, f"processes were left behind: {left}")
        folders = self._running.folders_left_over()
        self._book.expect(not folders, f"folders were left behind: {folders}")
        self._book.say("stopped", exit_code=code, left_over=len(left))


def _explained(found: list[Arrival], faults: list[Fault]) -> bool:
    """Return whether each copy but the first follows a connection that broke after a mail, or a fault.

    A fault while the mail was on its way explains it, too: on a busy machine that takes seconds.
    """
    for before, after in pairwise(sorted(found, key=lambda each: each.at)):
        broke = [each for each in faults if each.began - MARGIN <= after.at and each.ended + MARGIN >= before.began]
        if not (before.hung_up or broke):
            return False
    return len(found) <= MOST_COPIES


def _digest(each: Written) -> bytes:
    """Return under which digest a reply is stored: that of its link and its Message-ID."""
    assert each.message is not None
    link = stored(each.message["To"].addresses[0].username.removeprefix("z+"))
    assert link is not None
    return sha256(link + str(each.message["Message-ID"]).encode()).digest()
