"""The table of the moves that players give ahead, as the code sees it; migrations/ creates it."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, PrimaryKeyConstraint, Table
from sqlalchemy.dialects.postgresql import JSON, JSONB

from service.store.tables import instant, metadata

# The log knows nothing of an order before it is played. It belongs to the player, not to the seat, so that nobody who
# takes the seat over finds it there.
move_order = Table(
    "move_order",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("action", JSON, nullable=False),
    # Pairs of a JSON pointer into the seat's view and the value that has to be there.
    Column("conditions", JSONB, nullable=False),
    # Whether the player has named the conditions; else they follow from what the action rests on.
    Column("named", Boolean, nullable=False),
    instant("given_at"),
    # Why it was dropped, and at which decision; null while it waits.
    Column("dropped", JSONB),
    PrimaryKeyConstraint("game_id", "player_id", "place"),
    Index("move_order_player", "player_id"),
)
