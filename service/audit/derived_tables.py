"""Compare tables derived from the logs of games with those logs, for many games at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """Discrepancy in a game: the first wrong event (0: before the game, or outside its log), and a description."""

    game: UUID
    seq: int
    wrong: str


# Each check selects the wrong games, of all or among some. Each is a single statement, so that a running game is seen
# at one moment. None reads the whole log: events are found by their game. An imported game is hosted by no player
# (`import_record.KEEPER`). Comparisons with events are left to `inspect.examine` for games whose log is in the archive.
_CHECKS: Final = {
    "its row is missing, and other things of it are still there": """
select game_id as game, 0 as seq from (
  select game_id from seed where among(game_id) union select game_id from seat where among(game_id)
  union select game_id from seal where among(game_id)
  union select game_id from lobby_event where seq = 1 and among(game_id)
  union select game_id from event where seq = 1 and among(game_id)
  union select game_id from archived where among(game_id)
) kept where not exists (select from game where id = game_id)
""",
    "it is in the log, and the game knows nothing of it": """
select g.id as game, e.seq from game g cross join lateral (
  select seq from event where game_id = g.id and seq > g.version order by seq limit 1
) e
where among(g.id)
""",
    "its log is in the archive, and events of it are here as well": """
select a.game_id as game, e.seq from archived a cross join lateral (
  select seq from event where game_id = a.game_id order by seq limit 1
) e
where among(a.game_id)
""",
    "it is said to come from elsewhere, or to have been played here, and that is not so": """
select id as game, 0 as seq from game
where among(id) and ((origin = 'import') <> (host = '00000000-0000-0000-0000-000000000000')
                     or (origin = 'import' and exists (select from seat where game_id = id)))
""",
    "its host is not the one who has been there longest": """
select id as game, 0 as seq from game
where among(id) and lobby is not null and origin = 'here'
  and host <> (select s.player_id from seat s join player p on p.id = s.player_id
                where s.game_id = game.id and p.computer is null order by s.arrival limit 1)
""",
    "a player sits in a seat that it does not have": """
select distinct g.id as game, 0 as seq from game g join seat s on s.game_id = g.id
where among(g.id) and s.seat not between 0 and g.seats - 1
""",
    "it goes on from another game, or another event of it, than its row says": """
select g.id as game, 2 as seq from game g left join lateral (
  select data from event where (game_id, seq) = (g.id, 2) and name = 'game-forked' limit 1
) e on true
where among(g.id) and g.version > 0 and g.origin = 'here'
  and not exists (select from archived where game_id = g.id)
  and (e.data ->> 'game', e.data ->> 'seq') is distinct from (g.fork_of::text, g.fork_seq::text)
""",
    "a request was answered with it, and it is missing": """
select g.id as game, min(g.version) + 1 as seq from idempotency i join game g on g.id = i.game_id
where among(i.game_id) and i.operation = 'act' and i.last_seq > g.version group by g.id
""",
    "its seat is taken by another player than the one who asked for it": """
select e.game_id as game, min(e.seq) as seq from idempotency i
  join event e on (e.game_id, e.seq) = (i.game_id, i.first_seq)
  left join seat s on (s.game_id, s.seat) = (e.game_id, e.seat)
where among(i.game_id) and i.operation = 'act'
  and coalesce((select f.player_id from former_player f
                where (f.game_id, f.seat) = (e.game_id, e.seat) and f.until_seq > e.seq order by f.until_seq limit 1),
               s.player_id) is distinct from i.principal
group by e.game_id
""",
    "a seat is taken by another player than the one who was mailed its links": """
select l.game_id as game, 1 as seq from action_link l left join seat s on (s.game_id, s.seat) = (l.game_id, l.seat)
where among(l.game_id) and s.player_id is distinct from l.player_id
  and (l.revoked_at is null or not exists (
    select from former_player f where (f.game_id, f.seat, f.player_id) = (l.game_id, l.seat, l.player_id)))
group by l.game_id
""",
    "a player is said to have left a seat with it, and it hands that seat to nobody": """
select f.game_id as game, f.until_seq as seq from former_player f
  left join event e on (e.game_id, e.seq) = (f.game_id, f.until_seq)
where among(f.game_id) and not exists (select from archived where game_id = f.game_id)
  and (e.name is distinct from 'seat-handed-over' or e.seat is distinct from f.seat)
""",
    "it is missing: players have been told of decisions after it": """
select g.id as game, g.version + 1 as seq from game g join action_link l on l.game_id = g.id and l.decision > g.faces
where among(g.id)
union
select g.id, g.version + 1 from game g join seat s on s.game_id = g.id and s.seen > g.faces where among(g.id)
""",
    "its seal is missing, and there was one": """
select g.id as game, g.version as seq from game g join outbox o on o.dedupe_key = 'seal:' || g.id
where among(g.id) and o.state = 'done' and not exists (select from seal where game_id = g.id)
""",
    "the key of its seal was not in use when it was sealed": """
select g.id as game, g.version as seq from seal s join seal_key k on k.id = s.key join game g on g.id = s.game_id
where among(s.game_id) and (s.at < k.since or s.at > k.until)
""",
}
_AMONG: Final = re.compile(r"among\(([^()\s]+)\)")
# A check of all games may take minutes, and no request waits for it.
_PATIENCE: Final = "set local statement_timeout = '15min'"


def discrepancies(db: Connection, games: Sequence[UUID] | None = None) -> dict[UUID, Discrepancy]:
    """Return the discrepancies of some games, or of all, by game; only the first one found of each game.

    The cost of checking some games does not depend on the number of others.
    """
    found: dict[UUID, Discrepancy] = {}
    db.exec_driver_sql(_PATIENCE)
    for wrong, check in _CHECKS.items():
        statement = _AMONG.sub("true" if games is None else r"\1 = any(%(games)s)", check)
        rows: Any = db.exec_driver_sql(f"{statement} order by game", {"games": games})
        for row in rows:
            found.setdefault(row.game, Discrepancy(row.game, row.seq, wrong))
    return found
