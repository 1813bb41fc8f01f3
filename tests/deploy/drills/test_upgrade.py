"""The last release and this version serve at once while people play: all parts and queues of both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from email import message_from_bytes, policy
from pathlib import Path
from random import Random
from threading import Thread
from urllib.parse import urlsplit
from uuid import UUID

import psycopg
import pytest
from redis import Redis

from service.commands.cli import main
from service.local.supervisor import wait_until
from service.settings import Settings
from service.store.migrations import upgrade
from tests.chaos.book import Book
from tests.chaos.players import Player, Register, Table, act, newcomers, open_table
from tests.deploy.drills.upgrading import Browser, Retrying, failed, waiting
from tests.deploy.parts import APART, apart, behind, web
from tests.letters import text_of
from tests.serving import Server
from tests.upgrade.older import NotToBeHad, lay_out
from tests.upgrade.releases import LAST

pytestmark = pytest.mark.slow

SEATS = (1, 2, 2, 1)
"""The people at each table under load; one alone plays against ODS."""
MORE = 25
"""Actions that are accepted before the next part is replaced."""
PATIENCE = 180
ONLY_MOVES = {"worker-moves": APART["worker-moves"]}
ONLY_RELAY = {"relay": APART["relay"]}
SIGN_IN = re.compile(r"^http://127\.0\.0\.1:8000(/sign-in/[a-z2-7]{26})$", re.MULTILINE)
TURN = re.compile(r"^http://127\.0\.0\.1:8000(/t/[a-z2-7]{26})$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Version:
    """The last release (`code` is where its files are) or this version (None), with its settings and logs."""

    settings: Settings
    folder: Path
    code: Path | None


@dataclass(frozen=True, slots=True)
class Both:
    """Both versions on one database of the last release; `owner` is the address of its owner."""

    older: Version
    newer: Version
    owner: str
    redis: Redis
    mailbox: Path

    def give_address(self, player: UUID) -> str:
        """Give a player a confirmed mail address; return it."""
        email = f"{player}@example.org"
        with psycopg.connect(self.owner.replace("+psycopg", "")) as db:
            db.execute("update player set email = %s, email_confirmed = true where id = %s", (email, player))
        return email

    def mailed(self, email: str, link: re.Pattern[str]) -> str:
        """Wait for a mail to the address that has such a link, and return the link's path."""
        found: list[str] = []

        def has_come() -> bool:
            for path in self.mailbox.glob("*.eml"):
                mail = message_from_bytes(path.read_bytes(), policy=policy.default)
                if mail["To"] and email in mail["To"]:
                    found.extend(link.findall(text_of(mail)))
            return bool(found)

        assert wait_until(has_come, PATIENCE), f"no mail to {email}"
        return found[0]


@pytest.fixture
def both(
    settings: Settings,
    empty_database: Callable[[], tuple[str, str]],
    redis_url: str,
    mailbox: Path,
    tmp_path: Path,
) -> Iterator[Both]:
    """Both versions, and a database that the last release has made and used."""
    code = tmp_path / "last-release"
    code.mkdir()
    try:
        lay_out(LAST.commit, code)
    except NotToBeHad as why:
        pytest.skip(str(why))
    owner, application = empty_database()
    with psycopg.connect(owner.replace("+psycopg", "")) as db:
        db.execute(LAST.dump.encode())
    here = replace(settings, database_url=application, ruleset_packages=("service.rules.games",))
    with Redis.from_url(redis_url) as redis:
        redis.flushall()
        yield Both(Version(here, tmp_path, code), Version(here, tmp_path, None), owner, redis, mailbox)


def serve(stack: ExitStack, version: Version) -> Server:
    return stack.enter_context(web(version.settings, version.folder, version.code))


def until_ods_moves(client: Retrying, table: Table, register: Register, dice: Random) -> None:
    """Play until ODS is to move."""
    while act(client, register, table, dice):
        continue
    assert not table.finished


def test_two_versions_serve_at_once_under_load_and_no_client_that_asks_once_more_sees_an_error(
    both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, register, ports = Book(), Register(), [0, 0]
    client = Retrying(0, book, None, ports, Random(7))
    threads: list[Thread] = []

    def more() -> None:
        """Wait until some more actions are accepted."""
        before = sum(each.acked for each in register.acts)
        going = lambda: sum(each.acked for each in register.acts) >= before + MORE  # noqa: E731 - one line
        assert book.comes_true(lambda: bool(book.findings) or going(), PATIENCE), book.counted("")
        assert book.findings == []

    with ExitStack() as old, ExitStack() as new:
        # given the last release, all of it twice where there may be two, and people who play
        first, second = ExitStack(), ExitStack()
        old.enter_context(first), old.enter_context(second)
        ports[:] = [serve(first, both.older).port, serve(second, both.older).port]
        parts = old.enter_context(ExitStack())
        parts.enter_context(behind(both.older.settings, both.older.folder, both.older.code, apart(both.older.code)))
        for number, seats in enumerate(SEATS):
            player = Player(client, book, register, Random(number), seats)
            threads.append(book.thread(player.run, f"player {number}"))
        try:
            more()
            # when the tables are brought to this version, then relay and workers of both are there,
            upgrade(both.owner)
            more()
            new.enter_context(behind(both.newer.settings, both.newer.folder, None, APART))
            more()
            # the web servers are replaced one after the other,
            for number, gone in enumerate((first, second)):
                fresh = serve(new, both.newer)
                gone.close()
                ports[number] = fresh.port
                more()
            # and relay and workers of the last release end
            parts.close()
            more()
        finally:
            book.closing.set()
            for each in threads:
                each.join(PATIENCE)
        # then nobody has seen an error, no job has failed, and every accepted action is in the log, once
        assert book.findings == []
        assert failed(both.redis) == 0
        for table in register.tables:
            log = client.by(table.tokens[0]).get(f"/games/{table.game}/events?limit=500")["items"]
            told = [
                each.answer.json for each in register.acts if each.game == table.game and each.answer and each.acked
            ]
            seqs = [event["seq"] for answer in told for event in answer["events"]]
            assert len(seqs) == len(set(seqs)) and set(seqs) <= {event["seq"] for event in log}
        asked, again = book.counted("")["asked"], book.counted("").get("asked again", 0)
        book.say("upgrade", asked=asked, asked_again=again, actions=sum(each.acked for each in register.acts))
    for name, value in both.newer.settings.environment().items():
        monkeypatch.setenv(name, value)
    assert main(["audit"]) == 0


def test_jobs_that_one_version_has_queued_are_carried_out_by_the_other(both: Both) -> None:
    upgrade(both.owner)
    for giver, taker in ((both.older, both.newer), (both.newer, both.older)):
        check_that_jobs_are_understood(both.redis, giver, taker)


def check_that_jobs_are_understood(redis: Redis, giver: Version, taker: Version) -> None:
    """Have the relay of one version queue a move of ODS, and the worker of the other carry it out."""
    book, register, dice = Book(), Register(), Random(3)
    with web(giver.settings, giver.folder, giver.code) as server:
        client = Retrying(0, book, None, [server.port, server.port], Random(5))
        table = open_table(client, register, newcomers(client, 1))
        until_ods_moves(client, table, register, dice)
        with behind(giver.settings, giver.folder, giver.code, ONLY_RELAY) as (relay,):
            assert wait_until(lambda: waiting(redis, "moves") > 0, PATIENCE)
            relay.kill()
        with behind(taker.settings, taker.folder, taker.code, ONLY_MOVES):
            assert book.comes_true(lambda: act(client, register, table, dice) is not None, PATIENCE)
            assert wait_until(lambda: waiting(redis, "moves") == 0, PATIENCE)
    assert (book.findings, failed(redis)) == ([], 0)


def test_tokens_sessions_tickets_and_mail_links_of_one_version_are_good_at_the_other(both: Both) -> None:
    upgrade(both.owner)
    with ExitStack() as stack:
        older, newer = serve(stack, both.older), serve(stack, both.newer)
        for issuer, taker, version in ((older, newer, both.older), (newer, older, both.newer)):
            with behind(version.settings, version.folder, version.code, apart(version.code)):
                check_what_is_issued(both, issuer, taker)


def check_what_is_issued(both: Both, issuer: Server, taker: Server) -> None:
    """Have one web server issue what people keep, by its own relay and workers, and use it at the other."""
    book, register = Book(), Register()
    client = Retrying(0, book, None, [issuer.port, issuer.port], Random(5))
    other = replace(client, ports=[taker.port, taker.port])
    people = newcomers(client, 2)
    addresses = [both.give_address(player) for player, _ in people]
    table = open_table(client, register, people)
    # tokens
    assert other.by(table.tokens[0]).get("/me")["name"] == "Alice"
    # the link in a turn mail: a move is made by it
    shown = other.by(table.tokens[0]).get(f"/games/{table.game}")
    (seat, *_) = shown["to_act"]
    status, page, _ = Browser(taker).press(both.mailed(addresses[seat], TURN))
    assert status == 200, page
    assert other.by(table.tokens[0]).get(f"/games/{table.game}")["version"] > shown["version"]
    # the link in a mail to sign in, and the session that it opens, at either
    email = f"session.{issuer.port}@example.org"
    assert client.post("/sign-in", {"email": email}).status == 202
    status, _, cookie = Browser(taker).press(both.mailed(email, SIGN_IN))
    assert status == 303 and cookie
    for each in (issuer, taker):
        status, page, _ = Browser(each).open("/settings", cookie=cookie)
        assert (status, email in page) == (200, True)
    # the ticket of a stream
    ticket = client.by(table.tokens[1]).post(f"/games/{table.game}/stream-tickets", {}).json["url"]
    assert Browser(taker).open(urlsplit(ticket).path)[0] == 200
    assert book.findings == []
