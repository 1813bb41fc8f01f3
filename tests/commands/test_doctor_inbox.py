"""`boardroom doctor` finds what is wrong with how answers to mails come in."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from service.commands.doctor_dns import _of_sender
from service.inbound.listener import ANYWHERE
from service.inbound.listening import place_of
from service.local.servers import MailSink
from service.runtime import Runtime
from service.webhooks.secrets import new_key
from tests.builders import sealed_bids
from tests.commands.examining import BEAT_ELSEWHERE, GOOD, Examine
from tests.replying import delivered, place, reply, take
from workers.inbox import Inbox

pytestmark = pytest.mark.usefixtures("nothing_late")


@pytest.mark.parametrize("door", ["inbox", "sink", "closed"])
def test_the_server_that_takes_replies_is_asked_for_one_to_nobody(
    examine: Examine, runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, door: str
) -> None:
    zone = {**GOOD, ("mx.example.org", "A"): ["127.0.0.1"]}
    with Inbox(runtime, "smtp://127.0.0.1:0") as inbox, MailSink(tmp_path) as sink:
        port = {"inbox": place(inbox.url)[1], "sink": place(sink.url)[1], "closed": 1}[door]
        monkeypatch.setattr("service.commands.doctor_dns.SMTP_PORT", port)
        examined = examine(zone, INBOUND_LISTEN=inbox.url)
        found, sender = examined["inbound"], examined.get("answers to the sender")
    assert (
        found
        == {
            "inbox": ("ok", "mx.example.org refuses replies to addresses that nobody has"),
            "sink": ("warn", "mx.example.org takes replies to addresses that nobody has, and bounces them to anybody"),
            "closed": ("warn", "mx.example.org cannot be reached from here: Connection refused"),
        }[door]
    )
    # and for one to the sender of the mails, which some programs answer instead
    assert (
        sender
        == {
            "inbox": ("ok", "mx.example.org refuses answers to boardroom@example.org, and says where they go"),
            "sink": ("ok", "mx.example.org takes answers to boardroom@example.org: see that somebody reads them"),
            "closed": None,
        }[door]
    )
    assert list(tmp_path.glob("*")) == []


def test_a_refusal_that_does_not_say_where_answers_go_is_a_finding() -> None:
    found = _of_sender("mx.example.org", "games@example.org", 554, b"5.7.1 Relay access denied")
    assert found[0] == "warn" and "deploy/mail" in found[3]


def test_the_door_for_answers_is_knocked_at(examine: Examine, runtime: Runtime) -> None:
    with Inbox(runtime, "lmtp://127.0.0.1:0") as inbox:
        where = inbox.url.removeprefix("lmtp://")
        assert examine(INBOUND_LISTEN=inbox.url)["answers"] == ("ok", f"answers to mails are taken in at {where}")


@pytest.mark.parametrize(
    ("there", "why"),
    [
        ("silent", "it says nothing for 0 s"),
        ("another mail server", "it takes no mail for this service"),
        ("an inbox of another service", "it takes no mail for this service"),
    ],
)
def test_another_program_in_the_place_of_the_inbox_is_found(
    examine: Examine, runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: str, why: str
) -> None:
    monkeypatch.setattr("service.commands.doctor_inbox.SECONDS", 0.2 if there == "silent" else 60)
    other = replace(runtime, settings=replace(runtime.settings, mail_keys=(new_key(),)))
    with socket.create_server(("127.0.0.1", 0)) as silent, MailSink(tmp_path) as sink, Inbox(other, ANYWHERE) as inbox:
        listening = {"silent": f"lmtp://127.0.0.1:{silent.getsockname()[1]}", "another mail server": sink.url}
        where = listening.get(there, inbox.url)
        level, said = examine(INBOUND_LISTEN=where)["answers"]
    assert (level, said) == (
        "fail",
        f"another program listens at {place_of(where)}, in the inbox's place: {why}",
    )


@pytest.mark.parametrize(
    ("part", "level"), [("inbox", "ok"), ("mx-inbox-2", "ok"), ("web", "fail"), ("inboxes", "fail")]
)
def test_an_inbox_on_another_machine_is_known_by_its_heartbeats(
    examine: Examine, runtime: Runtime, part: str, level: str
) -> None:
    with runtime.engine.begin() as db:
        db.execute(text(BEAT_ELSEWHERE.replace("'web'", ":part")), {"part": part, "host": "mx", "pid": 1})
    assert examine(INBOUND_LISTEN="lmtp://127.0.0.1:1")["answers"][0] == level
    with runtime.engine.begin() as db:
        db.execute(text("update heartbeat set beat_at = beat_at - interval '1 min'"))
    assert examine(INBOUND_LISTEN="lmtp://127.0.0.1:1")["answers"][0] == "fail"


def test_an_inbox_without_a_key_is_found(examine: Examine) -> None:
    assert examine(INBOUND_LISTEN=ANYWHERE, MAIL_KEY="")["answers"][0] == "fail"


def test_a_mail_server_that_does_not_check_dmarc_is_found_by_its_mails(
    examine: Examine, runtime: Runtime, mailbox: Path
) -> None:
    with runtime.engine.begin() as db:
        db.execute(text("delete from inbound_mail"))
    server = {"INBOUND_AUTHSERV_ID": "mx.example.net"}
    level, said = examine(**server)["senders"]
    assert level == "ok" and "has to remove every Authentication-Results with the name mx.example.net" in said
    checked = replace(runtime, settings=replace(runtime.settings, inbound_server="mx.example.net"))
    game = sealed_bids(runtime.games).game.id
    (letter,) = delivered(runtime, mailbox, game)["alice@example.org"]
    take(checked, reply(letter, "hold"))
    delivered(checked, mailbox, game)
    said = "answers not believed in 7 days since mx.example.net said nothing of DMARC: 1"
    assert examine(**server)["senders"] == ("warn", said)
