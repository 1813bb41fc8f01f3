"""One entry in the registry is all that a new kind of effect needs; and every kind that is posted has one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from email.headerregistry import Address
from pathlib import Path
from typing import Literal

import pytest
from sqlalchemy import Connection, text

import service
import workers
from service.mail import send_policy
from service.mail.blocks import Content, Paragraph
from service.mail.compose import Stamp, add_identity_headers, compose_message
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox
from service.store.outbox import Notice, OutboxRow
from workers.effects import EFFECTS, Effect, Urgency, mail, of_urgency
from workers.queue import QUEUES
from workers.relay import Relay

ADDRESS = Address(addr_spec="zoe@example.org")
WRITTEN_BY_SQL = re.compile(
    r"(?:insert into outbox \(dedupe_key, kind[^)]*\)\s+(?:select|values \()|union all\s+select '[a-z-]+:')"
    r"[^,]*, '([a-z-]+)'"
)


@pytest.fixture
def lit(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows of a kind that the service does not have, as they are carried out."""
    rows: list[int] = []

    def light(runtime: Runtime, row_id: int) -> None:
        rows.append(row_id)
        with runtime.engine.begin() as db:
            outbox.finish(db, row_id, "done")

    monkeypatch.setitem(EFFECTS, "lamp", Effect("lamp", "rest", light))  # type: ignore[arg-type]
    return rows


def test_an_effect_with_an_entry_is_carried_out_once(runtime: Runtime, mailbox: Path, lit: list[int]) -> None:
    post(runtime, "lamp")
    relay = Relay(replace(runtime, redis=None))
    relay.drain()
    relay.drain()
    assert len(lit) == 1
    assert state(runtime, "lamp") == "done"


def test_a_mail_with_an_entry_is_sent_if_it_may_go_to_its_address(
    runtime: Runtime, mailbox: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def send(house: Runtime, row: OutboxRow) -> Literal["done", "skipped"]:
        content = Content("en", "The lamp is lit", "The lamp is lit", (Paragraph("Come."),))
        assert house.mailer is not None
        stamp = Stamp(row.id, house.mailer.mail_from, clock.now())
        house.mailer.send(add_identity_headers(compose_message(ADDRESS, content), stamp, "lamp", row.dedupe_key))
        return "done"

    def never(_: Connection, __: OutboxRow, ___: datetime) -> bool:
        return False

    monkeypatch.setitem(EFFECTS, "lamp-mail", mail("lamp-mail", send, send_policy.always))  # type: ignore[arg-type]
    monkeypatch.setitem(EFFECTS, "dark-mail", mail("dark-mail", send, never))  # type: ignore[arg-type]
    post(runtime, "lamp-mail")
    post(runtime, "dark-mail")
    Relay(replace(runtime, redis=None)).drain()
    (sent,) = mailbox.glob("*.eml")
    assert b"List-Id: <lamp." in sent.read_bytes()
    assert (state(runtime, "lamp-mail"), state(runtime, "dark-mail")) == ("done", "skipped")


def test_an_effect_without_an_entry_is_kept_with_its_error(runtime: Runtime, lit: list[int]) -> None:
    post(runtime, "lamp")
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(EFFECTS, "lamp")  # type: ignore[arg-type]
        Relay(replace(runtime, redis=None)).drain()
    assert (lit, state(runtime, "lamp")) == ([], "pending")


def test_every_kind_that_is_posted_has_an_entry_and_the_other_way_round() -> None:
    assert {kind for room in (service, workers) for kind in posted(Path(str(room.__file__)).parent)} == EFFECTS.keys()


def test_every_effect_but_the_couriers_has_one_queue() -> None:
    carried = [urgency for urgencies in QUEUES.values() for urgency in urgencies]
    everything: set[Urgency] = {each.urgency for each in EFFECTS.values()}
    assert len(carried) == len(set(carried)) and {*carried, "call"} == everything
    assert of_urgency("call") == ["webhooks", "webhook", "channel"]


def post(runtime: Runtime, kind: str) -> None:
    with runtime.engine.begin() as db:
        outbox.add(db, Notice(kind, f"{kind}:1", {}))


def state(runtime: Runtime, kind: str) -> str:
    with runtime.engine.connect() as db:
        return str(db.execute(text("select state from outbox where kind = :kind"), {"kind": kind}).scalar_one())


def posted(room: Path) -> Iterator[str]:
    """Yield the kind of every notice that the code makes, and of every row that a statement writes by itself."""
    for path in room.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        yield from WRITTEN_BY_SQL.findall(source)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Notice":
                assert isinstance(node.args[0], ast.Constant), f"{path}:{node.lineno} names no kind"
                yield str(node.args[0].value)
