"""The chance by which the games of tests are dealt: the same in every run, as the clocks of tests are frozen.

A test holds for every deal. One that does not would otherwise fail in a run in many, and never again when it is looked
for: `SEED=7 pytest` deals all games otherwise, and again alike each time.
"""

from __future__ import annotations

import random
from random import Random
from types import SimpleNamespace

import pytest

from service.handlers import lobby


class DealtAlike:
    """The plugin that draws the seeds of the games of each test from the name of the test."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._drawn = Random(seed)
        setattr(lobby, "secrets", SimpleNamespace(token_bytes=self._token_bytes, token_hex=self._token_hex))  # noqa: B010

    def pytest_report_header(self) -> str:
        """Tell which deals the games of this run have."""
        return f"games are dealt by SEED={self._seed}"

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
