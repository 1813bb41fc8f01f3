"""What tests draw: the same in every run, and other things with another SEED.

That is what `random` gives, and the seeds of games. A deal also depends on the id of its game, which has the moment in
it and is another one in each run: a test holds for every deal.
"""

from __future__ import annotations

import random
from random import Random
from types import SimpleNamespace

import pytest

from service.handlers import lobby


class DrawnAlike:
    """The plugin that has each test draw from a chance of its own, which follows from its name."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._drawn = Random(seed)
        setattr(lobby, "secrets", SimpleNamespace(token_bytes=self._token_bytes, token_hex=self._token_hex))  # noqa: B010

    def pytest_report_header(self) -> str:
        """Tell by what this run draws."""
        return f"tests draw by SEED={self._seed}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Begin anew with each test, before its fixtures make games."""
        named = f"{self._seed}/{item.nodeid}"
        self._drawn.seed(named)
        random.seed(named)

    def _token_bytes(self, count: int) -> bytes:
        return self._drawn.randbytes(count)

    def _token_hex(self, count: int) -> str:
        return self._drawn.randbytes(count).hex()
