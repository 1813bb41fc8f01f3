"""Each proxy of deploy/proxy before two web servers: it passes on what players need, and keeps the rest away."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from http.client import HTTPResponse
from queue import Queue
from threading import Thread
from time import perf_counter
from typing import Any
from uuid import UUID

import pytest

from service.handlers import tokens
from service.http.request import MAX_BODY_BYTES
from service.local.supervisor import wait_until
from service.settings import Settings
from service.shared import clock
from service.store.access import SCOPES
from service.store.games import Games
from tests.builders import started
from tests.deploy.proxy.proxies import KINDS, NAME, Proxy, missing, running
from tests.deploy.proxy.slow_clients import HALF_A_HEAD, ONE_BYTE, connections_at, slow_clients
from tests.following import Stream
from tests.people import Person, alice, bob
from tests.serving import Reply, Server, web_server

ADDRESS = {kind: f"127.0.2.{number}" for number, kind in enumerate(KINDS, 1)}
"""Addresses of the clients of each proxy: the counts of limits last from one test to the next."""
CROWD = 2000
MOVES = 30
PLAYERS_QUICK = 1.0
"""Seconds that an ordinary answer may take while slow clients are there, on a busy machine."""
CLOSES_BODIES = {"nginx", "haproxy"}
"""Proxies with a deadline for bodies; this caddy waits for a body as long as the client does."""
DEADLINE = 15 + 15
"""Seconds in which a head has to arrive, and what a busy machine may be late."""
HEARTBEAT = 15

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def web(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """Two web servers behind one proxy, with the limits of a real service."""
    behind = replace(settings, proxies=1, base_url=f"https://{NAME}", rate_limits=1)
    with ExitStack() as stack:
        yield [stack.enter_context(web_server(behind, tmp_path_factory.mktemp("web"))) for _ in range(2)]


@pytest.fixture(scope="module", params=KINDS)
def proxy(
    request: pytest.FixtureRequest, web: list[Server], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxy]:
    if why := missing(request.param):
        pytest.skip(why)
    with running(request.param, tmp_path_factory.mktemp("proxy"), [each.port for each in web]) as up:
        yield up


def kind_of(proxy: Proxy) -> str:
    return proxy.child.program.name


def ask(proxy: Proxy, path: str, body: Any = None, **headers: str) -> Reply:
    """Ask from outside."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return proxy.ask(path, body, {"Host": NAME, **named}, ADDRESS[kind_of(proxy)])


def got(proxy: Proxy, path: str, token: str) -> Any:
    """Return what is shown to the holder of a token."""
    answer = ask(proxy, path, authorization=f"Bearer {token}")
    assert answer.status == 200, (answer.status, answer.body)
    return answer.json


class Follower:
    """Reads a stream on a thread; `seen` has the number of each event and when it came, and at the end None."""

    def __init__(self, proxy: Proxy, game: UUID, token: str) -> None:
        self.seen: Queue[tuple[int, float] | None] = Queue()
        self._line = proxy.line(ADDRESS[kind_of(proxy)])
        head = f"GET /api/v1/games/{game}/stream HTTP/1.1\r\nHost: {NAME}\r\nAuthorization: Bearer {token}\r\n\r\n"
        self._line.sendall(head.encode())
        Thread(target=self._read, daemon=True).start()

    def until(self, version: int) -> dict[int, float]:
        """Return when each event came, up to the one with the number."""
        came: dict[int, float] = {}
        while max(came, default=0) < version:
            seen = self.seen.get(timeout=DEADLINE)
            assert seen is not None
            came[seen[0]] = seen[1]
        return came

    def _read(self) -> None:
        with self._line:
            answer = HTTPResponse(self._line)
            answer.begin()
            for event in Stream(answer).events():
                self.seen.put((event["seq"], perf_counter()))
        self.seen.put(None)


def most_of(seconds: list[float]) -> float:
    """Return what nine of ten take at most."""
    return sorted(seconds)[len(seconds) * 9 // 10 - 1]


@contextmanager
def long_poll(proxy: Proxy, game: UUID, token: str) -> Iterator[Callable[[], Reply]]:
    """Have a request wait for events of a game as long as it may; yield what waits for its answer."""
    version = got(proxy, f"/api/v1/games/{game}", token)["version"]
    path = f"/api/v1/games/{game}/events?after={version}&wait=25"
    with ThreadPoolExecutor(1) as waiting:
        yield waiting.submit(ask, proxy, path, authorization=f"Bearer {token}").result


def move(proxy: Proxy, game: UUID, people: list[Person]) -> tuple[int, float, float]:
    """Have the player whose turn it is move; return the game's version, how long it took, and when it was over."""
    seat = got(proxy, f"/api/v1/games/{game}", people[0].token)["to_act"][0]
    legal = got(proxy, f"/api/v1/games/{game}/legal-actions", people[seat].token)
    body = {"decision": legal["decision"], "action": legal["items"][0]["action"]}
    answer = ask(proxy, f"/api/v1/games/{game}/actions", body, authorization=f"Bearer {people[seat].token}")
    assert answer.status == 201, answer.body
    return answer.json["version"], answer.seconds, perf_counter()


def test_a_game_is_followed_and_played_while_slow_clients_are_kept_away(
    proxy: Proxy, web: list[Server], games: Games
) -> None:
    # given a game that Bob follows with a token of his own, and a quiet one that he waits for
    people = [alice(games), bob(games)]
    game, quiet = (started(games, "new-corp-order", people).game.id for _ in range(2))
    with games.engine.begin() as db:
        row, token = tokens.issue(db, people[1].id, "to follow", SCOPES, None, clock.now())
    follower = Follower(proxy, game, token)
    before = max(move(proxy, game, people)[1] for _ in range(5))
    with long_poll(proxy, quiet, people[1].token) as poll, slow_clients(proxy, CROWD) as crowd:
        # when two thousand clients open connections and send next to nothing
        began, reached = perf_counter(), [connections_at(each.port) for each in web]
        ordinary = [ask(proxy, "/livez").seconds for _ in range(20)]
        moved = [move(proxy, game, people) for _ in range(MOVES)]
        # then none of them reaches a web server, and others play on
        assert sum(reached) < 50, reached
        assert most_of(ordinary) < PLAYERS_QUICK
        assert most_of([seconds for _, seconds, _ in moved]) < max(PLAYERS_QUICK, 3 * before)
        # and Bob sees each event as it happens
        came = follower.until(moved[-1][0])
        late = [came[version] - over for version, _, over in moved]
        assert most_of(late) < PLAYERS_QUICK
        # and when Bob's token is revoked his stream ends
        tokens.revoke(games, people[1].id, row.id, clock.now())
        assert follower.seen.get(timeout=2 * HEARTBEAT) is None
        # and the proxy closes the slow connections
        assert wait_until(lambda: crowd.closed(HALF_A_HEAD) == CROWD // 2, DEADLINE)
        if kind_of(proxy) in CLOSES_BODIES:
            assert wait_until(lambda: crowd.closed(ONE_BYTE) == CROWD // 2, DEADLINE)
        closed = perf_counter() - began
        # and his request has waited its time
        waited = poll()
        assert (waited.status, waited.json["items"]) == (200, [])
        assert waited.seconds >= 25
    print(
        f"\n{kind_of(proxy)}: {sum(reached)} connections at the web servers; at most {max(ordinary) * 1000:.0f} ms for "
        f"/livez, {max(m[1] for m in moved) * 1000:.0f} for a move (before {before * 1000:.0f}), "
        f"{max(late) * 1000:.0f} from its answer to its event; slow connections closed after {closed:.1f} s"
    )


def test_a_forged_address_does_not_change_what_the_limits_see(proxy: Proxy) -> None:
    left = []
    for number in range(4):
        forged = {"X_Forwarded_For": f"203.0.113.9, 198.51.100.{number}", "Forwarded": f"for=198.51.100.{number}"}
        answer = ask(proxy, "/api/v1/players", {"name": "Zoe"}, **forged)
        assert answer.status == 201
        left.append(int(answer.headers["ratelimit"].partition("r=")[2].partition(";")[0]))
    assert left == [left[0], left[0] - 1, left[0] - 2, left[0] - 3]
    # and a client at another address is another one
    elsewhere = ADDRESS[kind_of(proxy)].replace(".2.", ".4.")
    other = proxy.ask("/api/v1/players", {"name": "Zoe"}, {"Host": NAME}, elsewhere)
    assert f"r={left[0]}" in other.headers["ratelimit"]


@pytest.mark.parametrize("path", ["/metrics", "/%6detrics", "/readyz", "/operate", "/operate/block", "/%6fperate"])
def test_what_is_for_operators_is_not_there_from_outside(proxy: Proxy, path: str) -> None:
    answer = ask(proxy, path)
    assert answer.status == 404
    assert b"boardroom_" not in answer.body and "x-request-id" not in answer.headers
    assert ask(proxy, "/livez").status == 200


def test_operators_reach_their_pages_from_where_they_are(proxy: Proxy) -> None:
    # to a browser without a session the service itself answers
    assert "x-request-id" in proxy.ask("/operate", headers={"Host": NAME}, source="127.0.0.1").headers


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl, which speaks HTTP/2, is not here")
def test_transport_is_secured_once_and_only_over_tls(proxy: Proxy) -> None:
    for path in ("/livez", "/metrics", "/api/v1/games/nonsense"):
        where = ["--cacert", str(proxy.certificate), "--connect-to", f"{NAME}:443:127.0.0.1:{proxy.port}"]
        command = ["curl", "-sS", "-o", "/dev/null", "-D", "-", "--http2", *where, f"https://{NAME}{path}"]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.lower().splitlines()
        assert said[0].startswith("http/2 ")
        assert [line for line in said if line.startswith("strict-")] == ["strict-transport-security: max-age=31536000"]
    plain = Server(proxy.http_port, proxy.child).ask("/games", headers={"Host": NAME})
    assert plain.status in (301, 308)
    assert plain.headers["location"].startswith(f"https://{NAME}")
    assert "strict-transport-security" not in plain.headers


def test_the_host_is_passed_on(proxy: Proxy) -> None:
    # Pages are served under the name of BASE_URL alone.
    assert ask(proxy, "/sign-in").status == 200
    assert ask(proxy, "/sign-in", Host=f"{NAME}:{proxy.port}").status == 200


def posted(proxy: Proxy, body: bytes) -> bytes:
    """Post something large, unless the answer comes before it, as it does from some; return the answer."""
    head = f"POST /api/v1/players HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    with proxy.line(ADDRESS[kind_of(proxy)]) as line:
        line.sendall(head.encode())
        line.settimeout(1)
        try:
            first = line.recv(1)
        except TimeoutError:
            line.settimeout(DEADLINE)
            line.sendall(body)
            first = b""
        line.settimeout(DEADLINE)
        return first + line.makefile("rb").read()


def test_what_is_too_large_is_refused(proxy: Proxy) -> None:
    answer = posted(proxy, b"z" * (MAX_BODY_BYTES + 1)).lower()
    assert answer.split()[1] == b"413" and b"x-request-id" not in answer
    assert ask(proxy, "/livez", X_Long="z" * 8000).status == 200
    assert ask(proxy, "/livez", **{f"X_Long_{n}": "z" * 8000 for n in range(5)}).status in (400, 431)


def test_no_secret_of_an_address_is_logged(proxy: Proxy, web: list[Server]) -> None:
    secret = "abcdefghijklmnopqrstuvwxyz"
    paths = [f"/{room}/{secret}" for room in ("t", "u", "join", "confirm", "sign-in", "mailbox")]
    paths += [f"/t/{secret}/xy?code={secret}", f"/calendar/{secret}.ics", f"/api/v1/streams/{secret}", f"/x?t={secret}"]
    paths += [f"/api/v1/invitations/{secret}"]
    for path in paths:
        ask(proxy, path, Referer=f"https://{NAME}/t/{secret}", Cookie=f"a={secret}", Authorization=f"Bearer {secret}")
    last = ask(proxy, "/livez")
    said = proxy.child.program.log
    assert wait_until(lambda: last.headers["x-request-id"] in said.read_text(), DEADLINE)
    assert secret not in said.read_text()
    lines = [json.loads(line) for line in said.read_text().splitlines() if line.startswith("{")]
    rooms = {line.get("room") or line.get("request", {}).get("uri") for line in lines}
    assert {"/t", "/calendar", "/api/v1/streams", "/livez"} <= rooms
