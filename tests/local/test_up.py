"""`boardroom up` as somebody at a terminal meets it: it starts, survives, stops, and says clearly why it cannot."""

from __future__ import annotations

import json
import re
import signal
import smtplib
import socket
import subprocess
import sys
from http.client import HTTPConnection

import pytest

from service.local.supervisor import wait_until
from tests.local.going_up import PARTS, PATIENCE, Start, answers, start
from tests.ports import free_port

pytestmark = pytest.mark.servers

__all__ = ["start"]


@pytest.mark.slow
def test_ctrl_c_stops_everything_in_order_and_the_next_start_finds_the_players_again(start: Start) -> None:
    first = start().open()
    token = first.ask("/api/v1/players", {"name": "Alice"})["token"]
    assert set(first.children()) > PARTS
    second = start(data=first.log.with_suffix(""))
    assert f"in use by process {first.process.pid}" in second.refusal()
    looked = [sys.executable, "-m", "service.commands", "doctor", "--data", str(first.log.with_suffix(""))]
    assert subprocess.run(looked, check=False).returncode == 0

    first.process.send_signal(signal.SIGINT)

    assert first.process.wait(PATIENCE) == 0
    assert first.said.endswith("Stopped.\n")
    assert first.children() == {}
    again = start(port=first.port).open()
    assert again.ask("/api/v1/me", token=token)["name"] == "Alice"


def test_a_taken_port_is_one_clear_line(start: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        assert f"Port {port}" in start(port=port).refusal()


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("DATABASE_URL", "postgresql://alice:hush@127.0.0.1:{port}/games"),
        ("REDIS_URL", "redis://:hush@127.0.0.1:{port}/0"),
        ("SMTP_URL", "smtp://alice:hush@127.0.0.1:{port}"),
    ],
)
def test_a_server_that_does_not_answer_is_one_clear_line_without_its_password(
    start: Start, name: str, address: str
) -> None:
    refusal = start(**{name: address.format(port=free_port())}).refusal()

    assert name in refusal
    assert "hush" not in refusal


def test_a_bad_setting_is_one_clear_line(start: Start) -> None:
    assert "PORT is 'eighty'" in start(PORT="eighty").refusal()


@pytest.mark.slow
def test_a_body_may_come_in_pieces_to_the_web_server(start: Start, database_url: str, redis_url: str) -> None:
    up = start(DATABASE_URL=database_url, REDIS_URL=redis_url).open()
    body = json.dumps({"name": "Alice", "language": "fr"}).encode()
    head = f"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    with socket.create_connection(("127.0.0.1", up.port), timeout=PATIENCE) as line:
        line.sendall(head.encode() + b"\r\nConnection: close\r\n\r\n" + body[:10])
        # Meanwhile it answers others.
        assert answers(up)
        line.sendall(body[10:20])
        assert answers(up)
        line.sendall(body[20:])
        answer = line.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 201 "), answer


def test_where_others_reach_it_mails_do_not_stay_in_a_folder_unless_that_is_wanted(start: Start) -> None:
    assert "Set SMTP_URL to have them sent, or LOCAL_MAIL=true" in start(HOST="0.0.0.0").refusal()


@pytest.mark.slow
def test_mails_are_shown_to_who_sits_at_the_machine_and_asks_for_it(
    start: Start, database_url: str, redis_url: str
) -> None:
    up = start(DATABASE_URL=database_url, REDIS_URL=redis_url).open()

    def status(path: str, host: str) -> int:
        asked = HTTPConnection("127.0.0.1", up.port, timeout=PATIENCE)
        asked.request("GET", path, headers={"Host": host})
        found = asked.getresponse().status
        asked.close()
        return found

    assert [status("/mailbox", host) for host in ("127.0.0.1", "localhost:1", "evil.example")] == [200, 200, 421]
    assert [status(path, "evil.example") for path in ("/livez", "/readyz", "/metrics")] == [200] * 3


@pytest.mark.slow
def test_servers_of_ones_own_are_used(start: Start, database_url: str, owner_url: str, redis_url: str) -> None:
    # Processes of other tests on this server were heard of a moment ago.
    up = start(DATABASE_URL=owner_url, REDIS_URL=redis_url, POOL_SIZE="4").open()

    assert "PostgreSQL" not in up.said
    assert "Warning" not in up.said
    assert answers(up)
    assert set(up.children()) == PARTS


@pytest.mark.slow
def test_a_start_warns_of_connections_that_do_not_fit_and_takes_the_number_of_web_processes(start: Start) -> None:
    up = start(POOL_SIZE="50", WEB_PROCESSES="1").open()

    assert re.search(r"Warning +\d processes x POOL_SIZE 50 = \d+ database connections, .* allows 97\. Set", up.said)
    assert not [name for name in up.children() if name == "web-2"]
    assert up.ask("/api/v1/limits")["open"][0]["processes"] == 1


@pytest.mark.slow
def test_an_inbox_that_cannot_listen_is_told_with_what_to_do_and_so_is_that_it_can(
    start: Start, database_url: str, redis_url: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        up = start(DATABASE_URL=database_url, REDIS_URL=redis_url, INBOUND_LISTEN=f"lmtp://127.0.0.1:{port}").open()

        assert (
            f"Warning         The inbox cannot listen on 127.0.0.1:{port}: another program has the port. End" in up.said
        )
        assert "it tries again every 2 s." in up.said
        assert "listens on" not in up.said
    assert wait_until(lambda: f"The inbox listens on 127.0.0.1:{port} now" in up.said, PATIENCE), up.said
    with smtplib.LMTP("127.0.0.1", port) as door:
        assert door.ehlo()[0] == 250
