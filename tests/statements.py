"""Hears what the fast path asks of the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from service.store.fast_path import hand_of
from service.store.games import Games


@contextmanager
def heard(games: Games) -> Iterator[list[str]]:
    """Yield the statements that the block makes, but for that by which an action that shuffles gets the seed."""
    said: list[str] = []

    def note(*call: Any) -> None:
        if "from seed" not in call[2]:
            said.append(call[2])

    engine = hand_of(games.engine).engine
    event.listen(engine, "before_cursor_execute", note)
    yield said
    event.remove(engine, "before_cursor_execute", note)
