"""A bare route: granian and psycopg, one statement that writes the rows of an action, an answer of the same size.

What an accepted action costs beyond that is the service's own. It is asked with the very requests of the actions.
"""

from __future__ import annotations

import os
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
import psycopg
from granian.constants import HTTPModes, Interfaces
from granian.server import Server

from service.local.servers import LocalServers
from service.local.supervisor import Child, Program
from service.settings import WEB_PROCESSES, WEB_THREADS
from tests.ports import free_port
from tests.serving import wait_for

_TABLES = """
drop table if exists bare_game, bare_event, bare_outbox;
create table bare_game (id uuid primary key, version int not null) with (fillfactor = 70);
create table bare_event (game_id uuid not null, seq int not null, body json not null, primary key (game_id, seq));
create table bare_outbox (id bigint generated always as identity primary key, body json not null);
insert into bare_game select id, 0 from game;
"""
_WRITE = """
with moved as (
  update bare_game set version = version + %(events)s where id = %(game)s returning id, version
), written as (
  insert into bare_event select id, version - n, %(body)s::json from moved, generate_series(0, %(events)s - 1) n
), told as (
  insert into bare_outbox (body) select %(body)s::json from moved, generate_series(1, %(notices)s) n
)
select id from moved
"""
_ABOUT = "BARE_ROUTE"


@dataclass(frozen=True, slots=True)
class Shape:
    """Average size of an action: the events and notices written, their bytes, and those of the answer."""

    events: int
    notices: int
    row_bytes: int
    answer_bytes: int


@dataclass(frozen=True, slots=True)
class About:
    """Configuration of the bare route: the database, its port, and the average size of an action."""

    database_url: str
    port: int
    shape: Shape


@contextmanager
def bare_server(servers: LocalServers, shape: Shape) -> Iterator[tuple[int, Child]]:
    """Run the bare route with as many processes and threads as the service has, for all games that there are."""
    url = servers.owner_url.replace("+psycopg", "")
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(_TABLES)
    port = free_port()
    environment = {**os.environ, _ABOUT: msgspec.json.encode(About(url, port, shape)).decode()}
    command = [sys.executable, "-m", "tests.bench.bare"]
    child = Child(
        Program(name="The bare route", command=command, log=servers.logs / "bare.log", environment=environment)
    )
    try:
        wait_for(child, lambda: _is_open(port), 30)
        yield port, child
    finally:
        child.stop()


def application() -> Callable[[dict[str, Any], Callable[..., Any]], list[bytes]]:
    """Make the app in a process of the server."""
    about = _about()
    shape, idle = about.shape, deque[psycopg.Connection[Any]]()
    answer = b'"' + b"x" * (shape.answer_bytes - 2) + b'"'
    body = msgspec.json.encode({"body": "x" * shape.row_bytes}).decode()
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(answer)))]

    def serve(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        posted = msgspec.json.decode(environ["wsgi.input"].read())
        assert posted["action"]
        game = environ["PATH_INFO"].split("/")[4]
        try:
            db = idle.pop()
        except IndexError:
            db = psycopg.connect(about.database_url, autocommit=True)
        rows = {"events": shape.events, "notices": shape.notices, "game": game, "body": body}
        found = db.execute(_WRITE, rows, prepare=True).fetchone()
        idle.append(db)
        start_response("201 Created" if found else "404 Not Found", headers)
        return [answer]

    return serve


def main() -> None:
    """Serve until SIGTERM."""
    Server(
        "tests.bench.bare:application",
        factory=True,
        interface=Interfaces.WSGI,
        address="127.0.0.1",
        port=_about().port,
        websockets=False,
        http=HTTPModes.http1,
        workers=WEB_PROCESSES,
        blocking_threads=WEB_THREADS,
        workers_kill_timeout=1,
    ).serve()


def _about() -> About:
    return msgspec.json.decode(os.environ[_ABOUT], type=About)


def _is_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 2).close()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
