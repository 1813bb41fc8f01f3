"""The tables of daily deals: what is committed to, its seed, the tries of players, and their standings."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Date,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from service.store.tables import instant, metadata, one_of

PERIODS = ("week", "month")

# The day is one of UTC. `rooted` is the day of whose tree the signature is a leaf, null until that is over; `best` is
# what computer players came to.
deal = Table(
    "deal",
    metadata,
    Column("day", Date, primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", JSONB, nullable=False),
    Column("commitment", Text, nullable=False),
    instant("at"),
    # The public half of the key that it was signed with.
    Column("public", LargeBinary, nullable=False),
    Column("signature", LargeBinary, nullable=False),
    Column("rooted", Date),
    Column("best", JSONB(none_as_null=True)),
    Index("deal_unrooted", "at", postgresql_where=text("rooted is null")),
    Index("deal_rooted", "rooted", postgresql_where=text("rooted is not null")),
)

# A table of its own, so that no query that reads a deal can bring the seed along.
deal_seed = Table(
    "deal_seed",
    metadata,
    Column("day", ForeignKey("deal.day"), primary_key=True),
    Column("seed", LargeBinary, nullable=False),
)

# `margin` is null while there is no result, and stays null if there never is one (D-05, D-06). `named` says whether the
# player stands in tables, `settled` whether those of the week and the month have the result.
deal_try = Table(
    "deal_try",
    metadata,
    Column("day", ForeignKey("deal.day"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("game_id", ForeignKey("game.id"), nullable=False, unique=True),
    Column("bot", Boolean, nullable=False),
    Column("named", Boolean, nullable=False),
    instant("begun_at"),
    Column("ended_at", DateTime(timezone=True)),
    Column("margin", Integer),
    Column("won", Boolean),
    Column("points", Integer),
    Column("settled", Boolean, nullable=False, server_default=text("false")),
    PrimaryKeyConstraint("day", "player_id"),
    Index("deal_try_player", "player_id", text("day desc")),
    Index(
        "deal_try_place",
        "day",
        "bot",
        "margin",
        "won",
        "player_id",
        postgresql_where=text("named and margin is not null"),
    ),
    Index("deal_try_unsettled", "day", postgresql_where=text("not settled and margin is not null")),
)

# How many have a result: `named` are those who stand in tables. A place is counted by it, not by all tries.
deal_tally = Table(
    "deal_tally",
    metadata,
    Column("day", ForeignKey("deal.day"), nullable=False),
    Column("bot", Boolean, nullable=False),
    Column("margin", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("named", Integer, nullable=False),
    Column("others", Integer, nullable=False),
    PrimaryKeyConstraint("day", "bot", "margin", "won"),
)

# `since` is the Monday of a week, or the first day of a month.
deal_standing = Table(
    "deal_standing",
    metadata,
    Column("period", Text, nullable=False),
    one_of("period", PERIODS),
    Column("since", Date, nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("total", Integer, nullable=False),
    Column("days", Integer, nullable=False),
    Column("named", Boolean, nullable=False),
    PrimaryKeyConstraint("period", "since", "player_id"),
    Index("deal_standing_player", "player_id"),
    Index(
        "deal_standing_place",
        "period",
        "since",
        "total",
        "player_id",
        postgresql_where=text("named"),
    ),
)
