"""The services that channels lead to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from service.messages.calls import Caller
from service.runtime import Runtime
from service.store.games import Games, Position
from tests.builders import sealed_bids
from tests.messages.house import House
from tests.messages.services import Services, certificate, services


@pytest.fixture(scope="session")
def pem(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The key and the certificate of the services."""
    return certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def running(pem: Path) -> Iterator[tuple[Services, Caller]]:
    """The services, and a caller for which their names lead there."""
    with services(pem) as found:
        yield found


@pytest.fixture
def there(running: tuple[Services, Caller]) -> Services:
    """The services."""
    return running[0]


@pytest.fixture
def caller(running: tuple[Services, Caller]) -> Caller:
    """The caller."""
    return running[1]


@pytest.fixture
def house(runtime: Runtime, caller: Caller, mailbox: Path) -> House:
    """The service, whose courier calls the services of the tests."""
    return House(replace(runtime, redis=None), caller, mailbox)


@pytest.fixture
def position(games: Games) -> Position:
    """A game of Sealed Bids at its first decision."""
    return sealed_bids(games)
