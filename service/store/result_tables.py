"""The log of results, and the ratings that follow from it."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Identity,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    text,
)

from service.store.tables import instant, metadata

# A finished game that its table's terms have rated. Results are numbered in the order in which they were written, one
# after the other: ratings are worked out in this order. `uncounted` is why it does not count, null if it does.
result = Table(
    "result",
    metadata,
    Column("number", BigInteger, Identity(always=True), primary_key=True),
    Column("game_id", ForeignKey("game.id"), nullable=False, unique=True),
    Column("ruleset", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    instant("ended_at"),
    Column("uncounted", Text),
)

# The seats of a result that counts, with the players who began in them; `doubtful` if the points that a seat gained
# were capped.
result_seat = Table(
    "result_seat",
    metadata,
    Column("number", ForeignKey("result.number"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("doubtful", Boolean, nullable=False, server_default=text("false")),
    PrimaryKeyConstraint("number", "seat"),
    Index("result_seat_player", "player_id", "number"),
)

# What each result did to a rating: the means before and after it, and the uncertainty after it.
rating_step = Table(
    "rating_step",
    metadata,
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("number", ForeignKey("result.number"), nullable=False),
    Column("before", Double, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    PrimaryKeyConstraint("player_id", "ruleset", "seats", "number"),
    Index("rating_step_number", "number"),
)

_SETTLED = "listed and games >= 10 and opponents >= 5"
_PROVISIONAL = "listed and not (games >= 10 and opponents >= 5)"
_SURE = text("(mu - 2 * sigma) desc")

# The ratings as they are; `listed` unless the account was deleted.
rating = Table(
    "rating",
    metadata,
    Column("id", BigInteger, Identity(always=True), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("opponents", Integer, nullable=False, server_default=text("0")),
    Column("listed", Boolean, nullable=False, server_default=text("true")),
    PrimaryKeyConstraint("player_id", "ruleset", "seats"),
    Index("rating_listed", "ruleset", "seats", _SURE, "id", postgresql_where=text(_SETTLED)),
    Index("rating_unsettled", "ruleset", "seats", _SURE, "id", postgresql_where=text(_PROVISIONAL)),
)
