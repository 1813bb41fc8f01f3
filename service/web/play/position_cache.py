"""Cache of page parts by position and reader: a position is viewed more often than it changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast
from uuid import UUID

from service.rules.tabletop.table import Table
from service.shared.lru import LRU
from service.web.viewer_context import ViewerContext

MAX_CACHED_POSITIONS: Final = 100
"""Maximum number of cached positions in a process."""

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class _Reader:
    """Key of the cache: the log up to a version, and its reader, languages, zone and names."""

    game: UUID
    version: int
    head: str | None
    seat: int | None
    language: str
    rules_language: str
    zone: str
    everybody: tuple[str, ...]


class PositionCache:
    """Table of a position for a reader, and page parts made from it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._kept: dict[Hashable, Any] = {}

    def keep(self, name: Hashable, make: Callable[[], Thing]) -> Thing:
        """Return the value cached under the name, or make it; it must depend on the log and the reader alone."""
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
