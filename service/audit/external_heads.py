"""Compare games with heads known elsewhere: a database cannot show its own losses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection

from service.audit.derived_tables import Discrepancy
from service.record.external_heads import ExternalHead
from service.store.events import head_at

_AT_A_TIME: Final = 1000
_THERE: Final = """
select g.version, e.head
from unnest(%(games)s::uuid[], %(versions)s::integer[]) with ordinality as k (game, version, number)
left join game g on g.id = k.game
left join lateral (
  select head from event where game_id = k.game and seq <= k.version and head is not null order by seq desc limit 1
) e on true
order by k.number
"""


def compare_external_heads(db: Connection, known: Iterable[ExternalHead]) -> dict[UUID, Discrepancy]:
    """Return the games that lack a known head, each with the first missing event.

    A game with as many events or more has diverged: at that event or before.
    """
    found: dict[UUID, Discrepancy] = {}
    heads = iter(known)
    while together := list(islice(heads, _AT_A_TIME)):
        for each in _departures(db, together):
            before = found.setdefault(each.game, each)
            if each.seq < before.seq:
                found[each.game] = each
    return found


def _head(db: Connection, known: ExternalHead, found: bytes | None) -> str:
    """Return the head at the event of a game, in hex; the head of an archived game is read from the archive."""
    head = found or head_at(db, known.game, known.version)
    return "" if head is None else head.hex()


def _departures(db: Connection, known: Sequence[ExternalHead]) -> Iterator[Discrepancy]:
    asked = {"games": [each.game for each in known], "versions": [each.version for each in known]}
    rows: Any = db.exec_driver_sql(_THERE, asked)
    for each, row in zip(known, rows, strict=True):
        if row.version is None:
            yield Discrepancy(
                each.game, 0, f"the game is missing, and {each.place} knows it up to event {each.version}"
            )
        elif row.version < each.version:
            wrong = f"it is missing, and {each.place} knows the game up to event {each.version}"
            yield Discrepancy(each.game, row.version + 1, wrong)
        elif not _head(db, each, row.head).startswith(each.head):
            wrong = f"{each.place} knows another head after it: from there or before, the game went on in another way"
            yield Discrepancy(each.game, each.version, wrong)
