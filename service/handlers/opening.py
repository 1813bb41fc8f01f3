"""The first events of a game: the setup by its ruleset, or for a fork those of the original game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from sqlalchemy import Connection

from service.handlers.append import SealedChance
from service.log.folding import counted_events
from service.rules.kernel import GameStarted, begin
from service.rules.shared_events import GameForked
from service.store.events import head_at
from service.store.games import Games, Position

_ORIGIN = """
select fork_of, fork_seq, (select (data ->> 'format')::int from lobby_event where game_id = game.id and seq = 1) as form
  from game where id = %s
"""


def opening(
    db: Connection, games: Games, position: Position, nonces: Sequence[str], drawn_by: Sequence[str], lobby: str
) -> list[Any]:
    """Return the events that open a game whose seats are taken; `nonces` and `drawn_by` are the seats' own.

    `lobby` is the head of the chain over what happened before.
    """
    game = position.game
    origin = db.exec_driver_sql(_ORIGIN, (game.id,)).one()
    form = UNSET if origin.form is None else origin.form
    if origin.fork_of is None:
        chance = SealedChance(db, position)
        return begin(position.ruleset, game.seats, game.options, chance, game.commitment, nonces, drawn_by, lobby, form)
    over = games.open(db, origin.fork_of)
    head = head_at(db, over.game.id, origin.fork_seq)
    forked = GameForked(game=str(over.game.id), seq=origin.fork_seq, head=None if head is None else head.hex())
    started = GameStarted(
        ruleset=game.ruleset,
        revision=over.folded.revision,
        seats=game.seats,
        options=dict(game.options),
        commitment=game.commitment,
        nonces=tuple(nonces),
        drawn_by=tuple(drawn_by),
        lobby=lobby,
        origin=forked,
        format=form,
    )
    # Its cards lie as they lay, and chance is new from there on.
    return [started, forked, *(each.event for each in counted_events(games.timeline(db, over), forked.seq))]
