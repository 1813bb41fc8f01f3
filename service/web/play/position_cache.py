"""The cache of what pages show of one position to one reader: a position is viewed more often than it changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast
from uuid import UUID

from service.rules.tabletop.table import Table
from service.shared.lru import LRU
from service.web.viewer_context import ViewerContext

MAX_CACHED_POSITIONS: Final = 100
"""The number of scenes that a process keeps."""

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class _Reader:
    """All that a cache depends on: the log up to a version, its reader, languages, zone and names."""

    game: UUID
    version: int
    head: str | None
    seat: int | None
    language: str
    rules_language: str
    zone: str
    everybody: tuple[str, ...]


class PositionCache:
    """The table of one position as one reader sees it, and what has been made of it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._kept: dict[Hashable, Any] = {}

    def keep(self, name: Hashable, make: Callable[[], Thing]) -> Thing:
        """Return what was made under the name, or make it; it must follow from the log and its reader alone."""
        if name not in self._kept:
            self._kept[name] = make()
        return cast("Thing", self._kept[name])


_cached: LRU[_Reader, PositionCache] = LRU(MAX_CACHED_POSITIONS)


def position_cache(context: ViewerContext) -> PositionCache:
    """Return the cache of a position for its reader."""
    reader = _reader(context)
    found = _cached.get(reader)
    if found is None:
        position = context.position
        found = PositionCache(
            Table(
                position.ruleset,
                position.state,
                position.game.seats,
                context.seat,
                context.rules_language,
                context.names,
            )
        )
        _cached.put(reader, found)
    return found


def _reader(context: ViewerContext) -> _Reader:
    position = context.position
    return _Reader(
        position.game.id,
        position.version,
        position.game.head,
        context.seat,
        context.language,
        context.rules_language,
        context.zone,
        context.everybody,
    )
