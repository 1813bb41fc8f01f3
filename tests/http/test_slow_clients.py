"""Clients that open connections and send next to nothing: they are done with in seconds, and others play on."""

from __future__ import annotations

import json
import resource
import select
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from service import serve
from service.http import admission
from service.http.problems import detail
from service.http.request import MAX_BODY_BYTES
from service.local.supervisor import wait_until
from service.settings import WEB_PROCESSES, Settings
from service.store.games import Games
from tests.builders import started
from tests.people import alice, bob
from tests.serving import Reply, Server, read_answer, web_server

HALF_A_HEAD = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX-A: "
FORM = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\n"
ONE_BYTE = b"POST /language HTTP/1.1\r\nHost: localhost\r\n" + FORM + b"l"
ELSEWHERE = "127.0.0.2"
ROUNDS = 200
ALL = WEB_PROCESSES * admission.MAX_CONCURRENT
"""The most requests of an address under way. Twice as many fill at least one process; which gets one is chance."""
GRACE = 30
"""Seconds that a busy machine may be late."""


@pytest.fixture
def server(settings: Settings, scratch: Path) -> Iterator[Server]:
    with web_server(settings, scratch) as running:
        yield running


@dataclass(frozen=True, slots=True)
class Flood:
    """Connections of one client that have sent what they will ever send."""

    lines: list[socket.socket]
    begun: float

    def refused(self) -> int:
        """Return how many the server has answered so far."""
        self.closed()
        return self.closed()

    def closed(self) -> int:
        """Close those that the server has closed, after reading what it said; return how many those are so far."""
        poll = select.poll()
        by_number = {line.fileno(): line for line in self.lines if line.fileno() >= 0}
        for number in by_number:
            poll.register(number, select.POLLIN)
        for number, _ in poll.poll(0):
            try:
                if not by_number[number].recv(65536):
                    by_number[number].close()
            except ConnectionError:
                by_number[number].close()
        return sum(line.fileno() < 0 for line in self.lines)


@contextmanager
def flood(server: Server, number: int, sent: bytes) -> Iterator[Flood]:
    """Open so many connections from one address, on each of which so much is sent."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, number + 1000), hard))
    with ExitStack() as stack:
        begun, lines = monotonic(), []
        for _ in range(number):
            lines.append(stack.enter_context(server.line()))
            lines[-1].sendall(sent)
        yield Flood(lines, begun)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def refusal(server: Server, headers: Mapping[str, str] | None = None) -> Reply:
    """Post until the process that is full refuses the request, and return its answer."""
    answers: list[Reply] = []

    def refused() -> bool:
        answers.append(server.ask("/api/v1/players", {}, headers=headers))
        return answers[-1].status == 429

    assert wait_until(refused, GRACE)
    return answers[-1]


def p99(ask: Callable[[], Reply]) -> float:
    """Return the seconds that all but one of a hundred requests take at most; each has to be answered well."""
    answers = [ask() for _ in range(ROUNDS)]
    assert {each.status for each in answers} == {200}
    return sorted(each.seconds for each in answers)[ROUNDS * 99 // 100 - 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "sent", "deadline"),
    [(2000, HALF_A_HEAD, serve.HEAD / 1000), (1400, ONE_BYTE, admission.BODY_TIMEOUT_S + admission.BODY_CHECK_S)],
    ids=["half heads", "one byte of a body"],
)
def test_slow_connections_of_one_address_are_closed_and_others_play_on(
    server: Server, games: Games, number: int, sent: bytes, deadline: float
) -> None:
    # Given a player at another address
    people = [alice(games), bob(games)]
    path = f"/api/v1/games/{started(games, 'new-corp-order', people).game.id}"

    def play() -> Reply:
        return server.ask(path, headers={"Authorization": f"Bearer {people[0].token}"}, source=ELSEWHERE)

    p99(play)
    usual = p99(play)
    with flood(server, number, sent) as attack:
        # When one client opens many connections and sends next to nothing
        opened = monotonic() - attack.begun
        lives = [server.ask("/livez", source=ELSEWHERE).seconds for _ in range(20)]
        own = server.ask("/livez").status
        during = p99(play)
        # Then the server closes them all
        refused = attack.refused()
        assert wait_until(lambda: attack.closed() == number, deadline + GRACE)
        took = monotonic() - attack.begun
    print(
        f"\n{number} connections within {opened:.1f} s; /livez at most {max(lives) * 1000:.0f} ms elsewhere, "
        f"{own} from the same address; p99 of the player {usual * 1000:.1f} ms before, {during * 1000:.1f} ms "
        f"meanwhile; {refused} of them refused, all closed after {took:.1f} s"
    )
    # And meanwhile others hardly notice
    assert max(lives) < 1
    assert during < max(2 * usual, 0.1)


def logged(server: Server, number: str) -> list[dict[str, Any]]:
    """The lines of the server's log about the request with the id."""
    lines = server.child.program.log.read_text().splitlines()
    return [json.loads(line) for line in lines if f'"request_id":"{number}"' in line]


@pytest.mark.slow
def test_a_body_that_does_not_come_is_refused_as_late(server: Server) -> None:
    head = (
        b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n"
        b"Accept-Language: de-AT, en;q=0.5\r\n\r\n{"
    )
    begun = monotonic()
    with server.line() as line:
        line.sendall(head)
        status, headers, body = read_answer(line)
    assert admission.BODY_TIMEOUT_S <= monotonic() - begun < admission.BODY_TIMEOUT_S + admission.BODY_CHECK_S + GRACE
    assert (status, headers["content-type"]) == (408, "application/problem+json")
    problem, number = json.loads(body.rstrip(b"\0")), headers["x-request-id"]
    assert (problem["type"], problem["request_id"]) == ("/problems/request-timeout", number)
    assert (headers["content-language"], problem["detail"]) == ("de", detail("de", "request-timeout", None, {}))
    # And the log has one line about it, which says what its client was told.
    assert wait_until(lambda: logged(server, number) != [], GRACE)
    (line,) = logged(server, number)
    assert (line["event"], line["route"], line["status"]) == ("request", "/api/v1/players", 408)


@pytest.mark.slow
def test_an_address_has_so_many_requests_under_way_and_its_next_ones_are_refused_at_once(server: Server) -> None:
    # Given more requests of one address under way than there may be in all processes
    with flood(server, 2 * ALL, ONE_BYTE) as attack:
        # Then those too many are refused, and so is another one of the address
        assert wait_until(lambda: attack.closed() >= ALL, GRACE)
        refused = refusal(server)
        assert refused.headers["retry-after"] == str(admission.RETRY_AFTER_S)
        assert refused.json["type"] == "/problems/rate-limited"
        french = refusal(server, {"Accept-Language": "fr"})
        assert french.json["detail"] == detail("fr", "rate-limited", "at-once", {})
        assert (french.status, french.headers["content-language"]) == (429, "fr")
        # And each process has one line of all those that it has refused
        lines = [line for line in server.child.program.log.read_text().splitlines() if '"status":429' in line]
        assert 1 <= len(lines) <= WEB_PROCESSES
        assert {json.loads(line)["route"] for line in lines} == {None}
        # And others are not
        assert server.ask("/api/v1/players", {}, source=ELSEWHERE).status == 422
        # And neither are those behind the same address who only look, nor health probes
        looks = [server.ask(path).status for path in ("/api/v1/rulesets", "/livez", "/readyz") for _ in range(10)]
        assert set(looks) == {200}
    # And once it has let go of them, it is answered again
    assert wait_until(lambda: server.ask("/api/v1/players", {}).status == 422, GRACE)


@pytest.mark.slow
def test_behind_a_proxy_the_clients_are_counted_and_not_the_proxy(settings: Settings, scratch: Path) -> None:
    one, other = ONE_BYTE.replace(b"Host: localhost", b"Host: localhost\r\nX-Forwarded-For: 192.0.2.1"), "192.0.2.2"
    with (
        web_server(replace(settings, proxies=1), scratch) as server,
        flood(server, 2 * ALL, one) as attack,
    ):
        assert wait_until(lambda: attack.closed() >= ALL, GRACE)
        assert refusal(server, {"X-Forwarded-For": "192.0.2.1"})
        assert server.ask("/api/v1/players", {}, headers={"X-Forwarded-For": other}).status == 422


@pytest.mark.slow
def test_idle_connections_do_not_close_the_port(server: Server) -> None:
    with flood(server, 10_000, b"") as idle:
        answers = [server.ask("/livez", source=ELSEWHERE) for _ in range(20)]
        assert {each.status for each in answers} == {200}
        assert max(each.seconds for each in answers) < 1
        assert wait_until(lambda: idle.closed() == 10_000, serve.HEAD / 1000 + 2 * GRACE)


@pytest.mark.slow
def test_what_is_too_large_is_refused_before_it_has_come(server: Server) -> None:
    head = "POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {10 * MAX_BODY_BYTES}"
    with server.line() as line:
        line.sendall(head.encode() + b"\r\nExpect: 100-continue\r\n\r\n")
        status, headers, _ = read_answer(line)
    assert (status, headers["content-type"]) == (413, "application/problem+json")
