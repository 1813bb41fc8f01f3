"""A database is restored to a moment next to the service, which runs on; both go on; `make test-recovery`."""

from __future__ import annotations

import json
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from random import Random
from subprocess import CompletedProcess

import pytest

from service.local.postgres import APPLICATION, DATABASE, OWNER
from service.local.supervisor import wait_until
from service.store.migrations import upgrade
from tests.chaos.book import Book
from tests.chaos.client import Client
from tests.chaos.players import Act, Register, Table, act, newcomers, open_table
from tests.chaos.run import Cast, Run
from tests.chaos.running import Running
from tests.deploy.drills.cluster import PATIENCE, Cluster
from tests.deploy.drills.shell import carried_out, documented

pytestmark = pytest.mark.slow

CAST = Cast(tables=(1, 2, 4))
ARCHIVE, BASE, SWITCH, RESTORE, AUDIT, COMPARE = documented("Point-in-time recovery")
_HEADS = "select id, head from game where head is not null"
_STORED = """
select key from idempotency i join event e on (e.game_id, e.seq) = (i.game_id, i.first_seq) where operation = 'act'
"""


def url(server: Cluster, role: str = APPLICATION) -> str:
    return f"postgresql://{role}@/{DATABASE}?host=127.0.0.1&port={server.port}"


class Drill:
    """A server whose log is archived, people who play on it, and the copy that is restored to a moment."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack = stack
        self._folder = folder
        self.server, self.restored = Cluster("a", folder), Cluster("restored", folder)
        backups, heads = folder / "backups", folder / "heads.jsonl"
        own = {"BACKUPS": backups, "RESTORED": self.restored.data, "RESTORED_PORT": self.restored.port, "HEADS": heads}
        self._told = {**own, "RESTORED_URL": url(self.restored)}
        stack.callback(self.server.stop)
        self.server.make()
        self.server.carry_out(ARCHIVE, **self._told)
        self.server.stop()
        self.server.start()
        upgrade(url(self.server, OWNER).replace("postgresql://", "postgresql+psycopg://"))
        self.run = Run(stack, folder, "recovery", CAST, {"DATABASE_URL": url(self.server)})
        self.run.begin()

    def back_up(self) -> None:
        self.server.carry_out(BASE, **self._told)

    def restore(self, moment: object) -> None:
        """Restore the backup up to the moment, next to the server."""
        stop = 'pg_ctl --silent --pgdata="$RESTORED" --mode=immediate stop || true'
        self._stack.callback(lambda: self.server.carry_out(stop, **self._told))
        for each in (SWITCH, RESTORE):
            self.server.carry_out(each, **self._told, MOMENT=moment)

    def told(self, commands: str, **told: object) -> CompletedProcess[str]:
        """Carry out commands as an operator of the service on the server."""
        known = {**self.run.running.noted(), **self.server.environment, **self._told, **told}
        return carried_out(commands, known, programs=self.server.programs)

    def altered(self, commands: str, **told: object) -> dict[str, str]:
        """Carry out commands that end with an audit; return what it finds wrong, by game."""
        done = self.told(f"{commands.strip()} --json", **told)
        assert done.returncode in (0, 1), done.stderr
        found = {each["game"]: each["wrong"] for each in json.loads(done.stdout)["altered"]}
        assert bool(found) == bool(done.returncode)
        return found

    def gone_on(self) -> set[str]:
        """Return the games in which something has happened since the moment."""
        here, there = ({str(game): head for game, head in each.ask(_HEADS)} for each in (self.server, self.restored))
        return {game for game, head in here.items() if there.get(game) != head}

    def second_service(self) -> Client:
        """Start another service on the restored database, with the same keys; return a client of it."""
        (self._folder / "second").mkdir()
        keys = {name: value for name, value in self.run.running.noted().items() if name.endswith("_KEY")}
        second = Running(self._folder / "second", Book(), {**keys, "DATABASE_URL": url(self.restored)})
        self._stack.callback(second.stop)
        second.start()
        return Client(second.port, self.run.book)


def playing(client: Client, table: Table, dice: Random, actions: int) -> list[Act]:
    """Have the players of a table take so many actions; return them."""
    register = Register()
    while len([each for each in register.acts if each.acked]) < actions:
        act(client, register, table, dice)
    return register.acts


def over(client: Client, table: Table) -> bytes:
    """End the game by a resignation, and return its record once it is sealed."""
    mine, record = client.by(table.tokens[0]), b""
    assert mine.post(f"/games/{table.game}/resignation", {"confirm": True}).status == 201

    def sealed() -> bool:
        nonlocal record
        record = mine.until_definite("GET", f"/api/v1/games/{table.game}/record").text.encode()
        return b'"kind":"seal"' in record

    assert wait_until(sealed, PATIENCE)
    return record


def digest(sent: Act) -> str:
    """Return under what the key of an action is stored."""
    return sha256(sent.key.encode()).hexdigest()


def kept(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_moment_is_restored_next_to_the_running_service_and_the_two_are_told_apart(
    stack: ExitStack, folder: Path
) -> None:
    drill = Drill(stack, folder)
    run, client = drill.run, drill.run.client
    # given a base backup that is made while people play, and a game of two who note what they see
    run.go_on()
    drill.back_up()
    table = open_table(client, Register(), newcomers(client, 2))
    before = playing(client, table, Random(1), 5)
    run.go_on()
    mine = client.by(table.tokens[0])
    proof = json.dumps(mine.get(f"/games/{table.game}/proof"))
    before += [each for each in list(run.register.acts) if each.acked]
    ((moment,),) = drill.server.ask("select clock_timestamp()")
    after = playing(client, table, Random(2), 5)
    seen = mine.until_definite("GET", f"/api/v1/games/{table.game}/record").text
    run.go_on()
    # when the moment is restored on another port, while the service runs on
    drill.restore(moment)
    run.go_on()
    # then all moves up to the moment are there and none of those after it, and the audit finds nothing wrong
    stored = {row[0] for row in drill.restored.ask(_STORED)}
    assert [each.key for each in before if digest(each) not in stored] == []
    assert [each.key for each in after if digest(each) in stored] == []
    assert drill.altered(AUDIT) == {}
    # and against the heads of the one that runs it names each game that has gone on, and no other
    run.settle()
    gone_on = drill.gone_on()
    found = drill.altered(COMPARE)
    assert {str(table.game)} <= gone_on <= found.keys() <= drill.gone_on(), "the automaton may move meanwhile"
    run.book.say("restored", moves=len(before), gone_on=len(found), lost=0)
    # and when the game goes on there in another way, then what its players have kept of the other run tells so
    second = drill.second_service()
    playing(second, table, Random(3), 7)
    audit = 'boardroom audit "$GAME" --against "$KEPT"'
    told = {"GAME": table.game, "DATABASE_URL": url(drill.restored)}
    assert drill.altered(audit, **told, KEPT=kept(folder / "proof.json", proof)) == {}, "it is from before the moment"
    wrong = drill.altered(audit, **told, KEPT=kept(folder / "seen.jsonl", seen))[str(table.game)]
    assert "went on in another way" in wrong
    assert drill.altered(audit, GAME=table.game, KEPT=folder / "seen.jsonl") == {}, "where it was played it holds"
    # and in the end there are two records of it, each of which holds alone
    one, other = kept(folder / "one.jsonl", over(client, table)), kept(folder / "other.jsonl", over(second, table))
    for each in (one, other):
        assert drill.told('boardroom verify "$ONE"', ONE=each).returncode == 0
    both = drill.told('boardroom verify "$ONE" "$OTHER"', ONE=one, OTHER=other)
    assert both.returncode == 1
    assert f"{one} has another record of this game" in both.stdout
    run.book.say("told apart", audit=wrong, verify=both.stdout.splitlines()[-3:])
    assert run.running.audit()[0] == 0
    assert run.book.findings == []
