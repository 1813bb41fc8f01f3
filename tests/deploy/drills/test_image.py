"""The image: its steps make one in a fresh Debian, and all parts work in it without a right and without a disk."""

from __future__ import annotations

import json
import os
import shutil
import signal
import smtplib
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from service.local.supervisor import Child, wait_until
from service.messages.keys import new_key
from tests.deploy.building import Built
from tests.deploy.debian import Root, make, missing
from tests.deploy.servers import Servers
from tests.docs.rooms import ROOT
from tests.ports import free_port

IMAGE = ROOT / "deploy" / "image"
SUITE = "trixie"
"""The Debian that the Dockerfile names."""
USER = 10001
LARGEST = 250
"""MB of 1,000,000 bytes."""
SECONDS = 90
PARTS = {
    "web": ("python", "-m", "service.serve"),
    "relay": ("python", "-m", "workers.relay"),
    "worker-moves": ("python", "-m", "workers.main", "moves"),
    "worker-replies": ("python", "-m", "workers.main", "replies"),
    "worker-mails": ("python", "-m", "workers.main", "mails"),
    "worker-computers": ("python", "-m", "workers.main", "computers"),
    "courier": ("python", "-m", "workers.courier"),
    "inbox": ("python", "-m", "workers.inbox"),
}

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing() or "all is here")]


@pytest.fixture(scope="module")
def image(built: Built) -> Iterator[Root]:
    """The finished root, made by the steps of the Dockerfile's stages."""
    folder = Path(tempfile.mkdtemp(prefix="boardroom-image-"))
    inputs = folder / "inputs"
    inputs.mkdir()
    for each in (IMAGE / "build.sh", IMAGE / "requirements.lock", built.wheel):
        shutil.copy(each, inputs)
    plain = make(folder / "plain", SUITE)
    libraries = plain.copied(folder / "libraries")
    libraries.run(["sh", "/mnt/build.sh", "tools"], inputs)
    libraries.run(["sh", "/mnt/build.sh", "venv", f"/mnt/{built.wheel.name}", "/mnt/requirements.lock"], inputs)
    for step in ("programs", "account", "bare"):
        plain.run(["sh", "/mnt/build.sh", step], inputs)
    home = Path("opt/boardroom")
    subprocess.run(["cp", "-a", str(libraries.folder / home), str(plain.folder / home)], check=True)
    shutil.copy(IMAGE / "alive.py", plain.folder / home / "bin/alive")
    yield plain
    shutil.rmtree(folder)


@pytest.fixture
def parts(image: Root, elsewhere: Servers, tmp_path: Path) -> Iterator[Parts]:
    """All parts, each in the image with a name and processes of its own, after the job that makes the tables."""
    started = Parts(image, elsewhere, tmp_path)
    with ExitStack() as stack:
        stack.callback(started.stop)
        started.migrate()
        started.start()
        yield started


class Parts:
    """The parts in the image, on servers elsewhere."""

    def __init__(self, image: Root, servers: Servers, logs: Path) -> None:
        port, inbox = free_port(), free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.inbox = inbox
        self.running: dict[str, Child] = {}
        self._image, self._servers, self._logs = image, servers, logs
        self._settings = {
            **servers.environment,
            "HOST": "127.0.0.1",
            "PORT": str(port),
            "BASE_URL": self.address,
            "INBOUND_LISTEN": f"lmtp://127.0.0.1:{inbox}",
            "PYTHONDONTWRITEBYTECODE": "1",
            **{name: new_key() for name in ("MAIL_KEY", "WEBHOOKS_KEY", "SEAL_KEY", "VAPID_KEY")},
        }

    def migrate(self) -> None:
        job = self._start("migrate", ("boardroom", "migrate"), {"DATABASE_URL": self._servers.owner_url})
        assert wait_until(lambda: job.exit_code is not None, SECONDS)
        assert job.exit_code == 0, self.log("migrate")

    def start(self) -> None:
        for name, command in PARTS.items():
            self.running[name] = self._start(name, command)
        assert wait_until(self._ready, SECONDS), {name: self.log(name)[-800:] for name in PARTS}

    def stop(self) -> None:
        for each in self.running.values():
            # The first process of the namespace gets the signal, as from an engine.
            with suppress(ProcessLookupError, IndexError):
                os.kill(first_process(each), signal.SIGTERM)
        for name, each in self.running.items():
            assert wait_until(lambda each=each: each.exit_code is not None, SECONDS), self.log(name)  # type: ignore[misc]

    def log(self, name: str) -> str:
        return (self._logs / f"{name}.log").read_text()

    def alive(self, name: str) -> tuple[int, str]:
        """Carry the health check out in the part's container; return its exit code and its line."""
        settings = [f"{key}={value}" for key, value in self._settings.items()]
        return self.within(name, USER, "env", "-i", *settings, "/opt/boardroom/bin/python", "/opt/boardroom/bin/alive")

    def within(self, name: str, user: int, *command: str) -> tuple[int, str]:
        """Carry a command out in the part's container; return its exit code and what it says."""
        enter = ["nsenter", "--target", str(first_process(self.running[name])), "--mount", "--pid", "--uts"]
        enter += ["chroot", f"--userspec={user}:{user}", str(self._image.folder), *command]
        asked = subprocess.run(enter, capture_output=True, text=True, check=False, timeout=60)
        return asked.returncode, asked.stdout + asked.stderr

    def _ready(self) -> bool:
        with suppress(OSError), urllib.request.urlopen(f"{self.address}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
        return False

    def _start(self, name: str, command: tuple[str, ...], more: dict[str, str] | None = None) -> Child:
        environment = {**self._settings, "PART": name, **(more or {})}
        return self._image.start(name, ["tini", "--", *command], environment, USER, self._logs / f"{name}.log")


def first_process(child: Child) -> int:
    """Return the number, here, of the process that is number 1 in the child's namespace."""
    return int(Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text().split()[0])


def held(question: Callable[[], bool]) -> bool:
    return wait_until(question, SECONDS)


def test_the_image_is_small_and_has_nothing_to_install_with(image: Root, capsys: pytest.CaptureFixture[str]):
    size = image.megabytes()
    with capsys.disabled():
        print(f"\nthe image has {size} MB (at most {LARGEST})")
    assert size < LARGEST
    assert not [name for name in ("apt-get", "pip", "perl", "gcc") if list(image.folder.glob(f"**/bin/{name}"))]


def test_all_parts_work_in_the_image_without_a_right_and_without_a_disk(parts: Parts, elsewhere: Servers):
    # given each part in a container of its own, then it runs as nobody and finds no place to write to
    for name, child in parts.running.items():
        status = dict(
            line.split(":", 1) for line in Path(f"/proc/{first_process(child)}/status").read_text().splitlines()
        )
        assert status["Uid"].split() == [str(USER)] * 4, name
        assert (status["CapEff"].strip(), status["NoNewPrivs"].strip()) == ("0" * 16, "1"), name
        # not even root could write there
        code, said = parts.within(name, 0, "touch", "/etc/boardroom/mark", "/opt/boardroom/mark", "/var/mark")
        assert (code, said.count("Read-only file system")) == (1, 3), said
    # when a game is played
    played = subprocess.run(
        [sys.executable, "-m", "service.commands", "play", "--api", parts.address, "--random"],
        capture_output=True, text=True, check=False, timeout=300, cwd=ROOT,
    )  # fmt: skip
    assert played.returncode == 0, played.stdout[-2000:] + played.stderr
    # and a mail is asked for, then it leaves
    body = json.dumps({"name": "Alice", "email": "alice@example.org"}).encode()
    request = urllib.request.Request(f"{parts.address}/api/v1/players", body, {"Content-Type": "application/json"})
    assert urllib.request.urlopen(request, timeout=10).status == 201
    assert held(lambda: any(elsewhere.mailbox.glob("*.eml"))), parts.log("worker-mails")
    # and the inbox takes no mail for addresses that nobody has been given
    with smtplib.LMTP("127.0.0.1", parts.inbox) as line:
        line.ehlo()
        assert line.mail("alice@example.org")[0] == 250
        assert line.rcpt("nobody@example.org")[0] == 550
    # and each part says that it lives
    for name in PARTS:
        assert held(lambda name=name: parts.alive(name)[0] == 0), (name, parts.alive(name), parts.log(name))  # type: ignore[misc]


def test_the_health_check_notices_a_part_that_hangs(parts: Parts):
    assert held(lambda: parts.alive("relay")[0] == 0), parts.alive("relay")
    # given a relay that has stopped working, but is there
    waiting = first_process(parts.running["relay"])
    relay = int(Path(f"/proc/{waiting}/task/{waiting}/children").read_text().split()[0])
    os.kill(relay, signal.SIGSTOP)
    # then its health check says so
    try:
        assert held(lambda: parts.alive("relay")[0] == 1), parts.alive("relay")
        assert parts.alive("relay")[1].startswith("late: relay-"), parts.alive("relay")
    finally:
        os.kill(relay, signal.SIGCONT)
