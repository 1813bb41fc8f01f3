"""A player's own lists of others: friends with the requests that are open, blocked players, and ignored ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.store.access import PlayerRow
from service.texts.names import display_name
from service.views.pages import PageWanted

View = dict[str, Any]
Kind = Literal["friends", "blocks", "ignored"]
KINDS: Final[tuple[Kind, ...]] = ("friends", "blocks", "ignored")

# Who was named by a seat may hide the handle. Who asks, and who has accepted, lets the other one know it.
_WHO: Final = "p.name, p.owner is not null as bot, case when p.visibility = 'public' then p.handle end as handle"
_FRIEND: Final = _WHO.replace("'public'", "'public' or e.state = 'accepted' or e.recipient = :player")
_AFTER: Final = "and (e.created_at, e.id) < (:moment, :place) order by e.created_at desc, e.id desc limit :limit"
_LISTS: Final = {
    "friends": text(f"""
select e.id, e.created_at, {_FRIEND},
       case when e.state = 'accepted' then 'friend' when e.sender = :player then 'asked' else 'asks' end as state
  from friendship e join player p on p.id = case when e.sender = :player then e.recipient else e.sender end
 where (e.sender = :player or e.recipient = :player) and e.state in ('open', 'accepted') {_AFTER}
"""),  # noqa: S608 - constants
    "blocks": text(f"""
select e.id, e.created_at, {_WHO} from block e join player p on p.id = e.blocked where e.blocker = :player {_AFTER}
"""),  # noqa: S608 - constants
    "ignored": text(f"""
select e.id, e.created_at, {_WHO} from ignored_player e join player p on p.id = e.ignored
 where e.player_id = :player {_AFTER}
"""),  # noqa: S608 - constants
}
_BETWEEN: Final = text("""
select (select json_build_object('id', f.id, 'state', case when f.state = 'accepted' then 'friend'
                                     when f.sender = :player then 'asked' else 'asks' end) from friendship f
         where least(f.sender, f.recipient) = least(cast(:player as uuid), cast(:other as uuid))
           and greatest(f.sender, f.recipient) = greatest(cast(:player as uuid), cast(:other as uuid))
           and f.state in ('open', 'accepted')) as friend,
       (select id from block where blocker = :player and blocked = :other) as block,
       (select id from ignored_player where player_id = :player and ignored = :other) as ignored
""")


ALL: Final = PageWanted(100_000)
"""Every entry of a list."""


@dataclass(frozen=True, slots=True)
class Between:
    """What a player has decided about another one: the ids of the entries, and how far they are friends."""

    friend: str | None
    friend_state: str | None
    block: UUID | None
    ignored: UUID | None


def listed(db: Connection, kind: Kind, player: UUID, wanted: PageWanted = ALL) -> list[Any]:
    """Return the entries of a player's list, the newest first, as rows that `shown_player` shows."""
    values = {"player": player, "moment": wanted.after[0], "place": wanted.after[1], "limit": wanted.limit}
    return list(db.execute(_LISTS[kind], values))


def shown_player(row: Any, reader: PlayerRow) -> View:
    """Return an entry as JSON types."""
    entry = {
        "id": str(row.id),
        "name": display_name(row.name, reader.language),
        "handle": row.handle,
        "bot": row.bot,
        "since": row.created_at.isoformat(),
    }
    return entry | ({"state": row.state} if hasattr(row, "state") else {})


def between(db: Connection, player: UUID, other: UUID) -> Between:
    """Return what a player has decided about another one."""
    row = db.execute(_BETWEEN, {"player": player, "other": other}).one()
    friend = row.friend or {"id": None, "state": None}
    return Between(friend["id"], friend["state"], row.block, row.ignored)
