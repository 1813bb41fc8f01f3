"""Proxies while a web server is away, or takes a request and gives no answer: no POST is sent twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from service.local.supervisor import wait_until
from service.settings import Settings
from tests.deploy.proxy.proxies import KINDS, NAME, Proxy, missing, quiet_port, running
from tests.serving import Reply, Server, web_server

AGAIN = 10
SECRET = "abcdefghijklmnopqrstuvwxyz"
PATIENCE = 60

pytestmark = pytest.mark.slow


class Breaking(ThreadingHTTPServer):
    """Context manager: takes requests and hangs up without an answer, but for those of probes; notes their methods."""

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Breaking)
        self.taken: list[str] = []
        Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def __exit__(self, *error: object) -> None:
        """Stop."""
        self.shutdown()
        super().__exit__(*error)


class _Breaking(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Breaking

    def do_GET(self) -> None:
        if self.path in ("/readyz", "/livez", "/moved"):
            self.send_response(303 if self.path == "/moved" else 200)
            self.send_header("Location", f"/t/{SECRET}")
            self.send_header("Set-Cookie", f"a={SECRET}")
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self._break()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._break()

    def _break(self) -> None:
        self.server.taken.append(self.command)
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in http.server
        """Say nothing."""


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    if why := missing(request.param):
        pytest.skip(why)
    return str(request.param)


@pytest.fixture
def breaking() -> Iterator[list[Breaking]]:
    with ExitStack() as stack:
        yield [stack.enter_context(Breaking()) for _ in range(2)]


@pytest.fixture(scope="module")
def server(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A web server."""
    behind = replace(settings, proxies=1, base_url=f"https://{NAME}")
    with web_server(behind, tmp_path_factory.mktemp("web")) as up:
        yield up


def post(proxy: Proxy) -> Reply:
    return proxy.ask("/api/v1/players", {"name": "Zoe"}, {"Host": NAME})


def test_a_post_that_gets_no_answer_goes_to_no_other_server(
    kind: str, tmp_path: Path, breaking: list[Breaking]
) -> None:
    with running(kind, tmp_path, [each.server_port for each in breaking]) as proxy:
        assert post(proxy).status in (502, 503)
        assert [method for each in breaking for method in each.taken] == ["POST"]
        # A server that has failed may be left alone for a while, in which nothing is sent at all.
        for _ in range(AGAIN):
            sent = sum(len(each.taken) for each in breaking)
            assert post(proxy).status in (502, 503)
            assert sum(len(each.taken) for each in breaking) <= sent + 1


def test_failures_and_redirections_are_logged_without_the_address(
    kind: str, tmp_path: Path, breaking: list[Breaking]
) -> None:
    with running(kind, tmp_path, [each.server_port for each in breaking]) as proxy:
        assert proxy.ask("/moved", headers={"Host": NAME}).headers["location"] == f"/t/{SECRET}"
        assert proxy.ask(f"/t/{SECRET}", headers={"Host": NAME}).status in (502, 503)
        assert proxy.ask(f"/t/{SECRET}", {}, {"Host": NAME}).status in (502, 503)
        log = proxy.child.program.log
        assert wait_until(lambda: all(f'/{room}"' in log.read_text() for room in ("moved", "t")), PATIENCE)
    assert SECRET not in log.read_text()


def test_one_server_that_is_away_is_not_noticed(kind: str, tmp_path: Path, server: Server) -> None:
    with running(kind, tmp_path, [quiet_port(), server.port]) as proxy:
        assert [post(proxy).status for _ in range(AGAIN)] == [201] * AGAIN


def test_a_server_that_is_back_gets_requests_again(kind: str, tmp_path: Path, breaking: list[Breaking]) -> None:
    breaking[0].shutdown()
    breaking[0].server_close()
    port = breaking[0].server_port
    with running(kind, tmp_path, [port, breaking[1].server_port]) as proxy:
        assert proxy.ask("/livez", headers={"Host": NAME}).status == 200
        with Breaking(port) as back:
            assert wait_until(lambda: post(proxy).status > 0 and bool(back.taken), PATIENCE)
