"""`python -m tests.upgrade.keep COMMIT` runs the commit of a release, and keeps a dump of its database."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any, Final

import psycopg

from service.local.postgres import DATABASE, SUPERUSER, reachable_binaries, server_account
from service.local.servers import LocalServers
from tests.chaos.book import Book
from tests.chaos.client import Client
from tests.chaos.players import Register, Table, act, newcomers, open_table
from tests.deploy.parts import apart, behind, code_in, web
from tests.docs.rooms import ROOT
from tests.house import settings_on
from tests.upgrade.older import lay_out
from tests.upgrade.releases import FOLDER, RELEASES, Release

SOME: Final = 12
"""The moves that are made in the games that go on."""
PATIENCE: Final = 600


def keep(commit: str, folder: Path) -> Release:
    """Run a commit of this repository, play, and write `dumps/*.sql.gz` into the folder; raises NotToBeHad."""
    command = ["git", "rev-parse", "--short=7", commit]
    short = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    place = Path(mkdtemp(prefix="boardroom-kept-"))
    place.chmod(0o711)
    try:
        code = place / "code"
        code.mkdir()
        lay_out(short, code)
        with LocalServers(place / "data", durable=False) as servers:
            played = _play(servers, place, code)
            with psycopg.connect(servers.owner_url.replace("+psycopg", "")) as db:
                ((revision,),) = db.execute("select version_num from alembic_version").fetchall()
            release = Release(short, revision, *played)
            (folder / "dumps").mkdir(exist_ok=True)
            (folder / "dumps" / release.path.name).write_bytes(gzip.compress(_dump(servers).encode(), mtime=0))
            return release
    finally:
        shutil.rmtree(place)


def _play(servers: LocalServers, place: Path, code: Path) -> tuple[Any, ...]:
    """Play a game to its end, and some moves of two others; return what a Release says of them."""
    there = replace(settings_on(servers), ruleset_packages=("service.rules.games",))
    made = replace(there, database_url=servers.owner_url).environment() | code_in(code)
    subprocess.run([sys.executable, "-m", "service.commands", "migrate"], env=made, check=True, cwd=place)
    with web(there, place, code) as server, behind(there, place, code, apart(code)):
        client, register, dice = Client(server.port, Book()), Register(), Random(1)
        people = newcomers(client, 2)
        running, finished = (open_table(client, register, people) for _ in range(2))
        solo = open_table(client, register, people[:1])
        _play_on(client, running, dice, SOME)
        _play_on(client, solo, dice, SOME)
        _play_on(client, finished, dice, None)
        # The dump is whole when nothing is left to do.
        with psycopg.connect(servers.owner_url.replace("+psycopg", "")) as db:
            due = "select count(*) from outbox where state = 'pending' and due_at <= clock_timestamp()"
            assert client.book.comes_true(lambda: db.execute(due.encode()).fetchall() == [(0,)], PATIENCE)
    assert client.book.findings == []
    alice, bob = ({"id": str(player), "token": token} for player, token in people)
    return alice, bob, *(str(each.game) for each in (running, finished, solo))


def _play_on(client: Client, table: Table, dice: Random, moves: int | None) -> None:
    """Make so many moves in a game, or all."""
    register = Register()

    def enough() -> bool:
        act(client, register, table, dice)
        return table.finished if moves is None else len(register.acts) >= moves

    while not enough():
        if client.book.over.wait(0 if register.acts and register.acts[-1].acked else 0.1):
            return


def _dump(servers: LocalServers) -> str:
    """Return the database as SQL that psycopg can execute, without owners."""
    postgres = servers.postgres
    assert postgres
    program = reachable_binaries(postgres.data.parent, server_account()) / "pg_dump"
    command = [program, "--rows-per-insert=100000", "--no-owner", "--dbname", DATABASE]
    command += ["--host", postgres.sockets, "--username", SUPERUSER]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    # Words for psql alone.
    return "".join(line for line in said.splitlines(keepends=True) if not line.startswith("\\"))


def main() -> None:
    """Keep a dump of the commit that the command line names, as the last release."""
    release = keep(sys.argv[1] if len(sys.argv) > 1 else "HEAD", FOLDER)
    others = [each for each in RELEASES if each.commit != release.commit]
    table = [asdict(each) for each in (*others, release)]
    (FOLDER / "releases.json").write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")
    print(f"{release.path.relative_to(ROOT)}: {release.path.stat().st_size} bytes, revision {release.revision}")


if __name__ == "__main__":
    main()
