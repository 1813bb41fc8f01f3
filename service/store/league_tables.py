"""The tables of leagues, of competitions, which are seasons and tournaments, and of what is played in them."""

from __future__ import annotations

from sqlalchemy import (
    ARRAY,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from service.store.tables import instant, metadata, one_of

SYSTEMS = ("groups", "round-robin", "swiss")
COMPETITION_STATES = ("entry", "running", "over", "cancelled")
ENTRANT_STATES = ("invited", "entered", "left-out", "withdrawn")

league = Table(
    "league",
    metadata,
    Column("id", Uuid, primary_key=True),
    # What its address ends with.
    Column("slug", Text, nullable=False, unique=True),
    Column("title", Text, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("options", JSONB, nullable=False),
    # The fields of service.rules.pace.Pace by their names.
    Column("pace", JSONB, nullable=False),
    Column("rounds", Integer, nullable=False),
    # For how many days each season is open for entry.
    Column("entry_days", Integer, nullable=False),
    instant("created_at"),
    Column("closed_at", DateTime(timezone=True)),
    Index("league_listed", "created_at", "id"),
)

# A season of a league, or a tournament.
competition = Table(
    "competition",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("league_id", ForeignKey("league.id")),
    # Of a season in its league, from 1; null for a tournament.
    Column("number", Integer),
    # Who hosts a tournament; null for a season.
    Column("host", ForeignKey("player.id")),
    Column("title", Text, nullable=False),
    Column("public", Boolean, nullable=False, server_default=text("true")),
    Column("ruleset", Text, nullable=False),
    # The most seats of a game.
    Column("seats", Integer, nullable=False),
    Column("options", JSONB, nullable=False),
    Column("pace", JSONB, nullable=False),
    Column("system", Text, nullable=False),
    one_of("system", SYSTEMS),
    # Null in a tournament that has not begun, and whose number of rounds follows from that of its entrants.
    Column("rounds", Integer),
    # Whether rounds begin by themselves; else the host begins them.
    Column("by_itself", Boolean, nullable=False, server_default=text("true")),
    Column("state", Text, nullable=False, server_default=text("'entry'")),
    one_of("state", COMPETITION_STATES),
    # The last round that has begun.
    Column("round", Integer, nullable=False, server_default=text("0")),
    Column("entry_until", DateTime(timezone=True)),
    instant("created_at"),
    Column("started_at", DateTime(timezone=True)),
    Column("over_at", DateTime(timezone=True)),
    Index("competition_season", "league_id", "number", unique=True, postgresql_where=text("league_id is not null")),
    Index("competition_tournament", "created_at", "id", postgresql_where=text("league_id is null and public")),
    Index("competition_host", "host", "created_at", "id", postgresql_where=text("host is not null")),
)

entrant = Table(
    "entrant",
    metadata,
    Column("competition_id", ForeignKey("competition.id"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("state", Text, nullable=False),
    one_of("state", ENTRANT_STATES),
    instant("entered_at"),
    # The place in the order at the start, from 1, and in a season the tier and the number of the group, from 1.
    Column("rank", Integer),
    Column("tier", Integer),
    Column("group_number", Integer),
    # The line in the table so far: place from 1, points, and games won.
    Column("place", Integer),
    Column("points", Integer, nullable=False, server_default=text("0")),
    Column("wins", Integer, nullable=False, server_default=text("0")),
    # After a season: 1 who goes up, -1 who goes down, 0 who stays; and the place in the ladder.
    Column("moves", Integer),
    Column("ladder", Integer),
    PrimaryKeyConstraint("competition_id", "player_id"),
    Index("entrant_player", "player_id", "entered_at", "competition_id"),
    Index("entrant_table", "competition_id", "group_number", "place"),
)

# The players of one game in one round, in the order of their seats; of a bye it is one player, and no game.
pairing = Table(
    "pairing",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("competition_id", ForeignKey("competition.id"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("group_number", Integer),
    Column("players", ARRAY(Uuid), nullable=False),
    Column("game_id", ForeignKey("game.id"), unique=True),
    # What it has brought to each of its players; null until it is over.
    Column("points", ARRAY(Integer)),
    Index("pairing_round", "competition_id", "round", "number", unique=True),
    Index("pairing_group", "competition_id", "group_number", "round"),
    Index("pairing_open", "competition_id", postgresql_where=text("points is null")),
)
