"""Schemas of leagues and tournaments."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.answer import Answer
from schemas.fields import SLUG, Cursor, Number, Text, Whole
from schemas.lobby import ACCESS
from schemas.names import Name
from schemas.pace import NewPace, pace_shown
from schemas.pages import Page, PageLimit
from service.texts.names import HANDLE_MAX_LENGTH, HANDLE_MIN_LENGTH, HANDLE_PATTERN

STATES = ("entry", "running", "over", "cancelled")
ENTRIES = ("invited", "entered", "left-out", "withdrawn")
SYSTEMS = ("round-robin", "swiss")
NEXT_ROUND = ("by-itself", "host")
_LAST_ROUND = 63
"""Of a round robin of 64 at tables for two."""
_ENTRY = {"description": "How one stands to it; null where one has not entered."}
_STATE = {"description": "`entry`: open for entry; `running`; `over`; or `cancelled`, before it began."}
_ROUND = {"description": "The last round that has begun, from 1; 0 before the first."}
_OPTIONS = {"description": "The options of its games."}


class LeaguesWanted(Schema):
    """The leagues to list."""

    after = Cursor()
    limit = PageLimit("leagues")


class Season(Answer):
    """A season of a league."""

    number = fields.Integer(metadata={"description": "From 1 in its league."})
    state = fields.String(validate=validate.OneOf(STATES), metadata=_STATE)
    round = fields.Integer(metadata=_ROUND)
    rounds = fields.Integer()
    entry_until = fields.DateTime(metadata={"description": "When entry ends, and the season begins."})
    started_at = fields.DateTime(allow_none=True)
    over_at = fields.DateTime(allow_none=True)


class NewestSeason(Season):
    """The newest season of a league."""

    entry = fields.String(allow_none=True, validate=validate.OneOf(ENTRIES), metadata=_ENTRY)


class League(Answer):
    """A league, with its newest season."""

    name = fields.String(metadata={"description": "What its address ends with."})
    title = fields.String()
    ruleset = fields.String()
    options = fields.Dict(keys=fields.String(), values=fields.Raw(allow_none=True), metadata=_OPTIONS)
    pace = pace_shown()
    rounds = fields.Integer(metadata={"description": "The rounds of a season."})
    entry_days = fields.Integer(metadata={"description": "For how many days a season can be entered."})
    opened_at = fields.DateTime()
    closed_at = fields.DateTime(allow_none=True, metadata={"description": "After it no season opens."})
    season = fields.Nested(NewestSeason)


class LeaguesListed(Page):
    """A page of leagues; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(League))


class SeasonsWanted(Schema):
    """The seasons to list."""

    after = Number(least=1, metadata={"description": "`next` of the page before."})
    limit = PageLimit("seasons")


class SeasonsListed(Answer):
    """A page of seasons, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(Season))
    next = fields.Integer(allow_none=True)


class Line(Answer):
    """A line of a table."""

    place = fields.Integer(allow_none=True, metadata={"description": "Null before the start."})
    name = fields.String()
    handle = fields.String(allow_none=True, metadata={"description": "Of those whose profile everybody may see."})
    points = fields.Integer()
    wins = fields.Integer(metadata={"description": "Games with a first place, also a shared one."})
    moves = fields.String(
        allow_none=True,
        validate=validate.OneOf(("up", "stays", "down")),
        metadata={"description": "Into which tier of the next season; null before the end, and in tournaments."},
    )
    state = fields.String(validate=validate.OneOf(ENTRIES))


class PairedPlayer(Answer):
    """A player of a game of a competition."""

    name = fields.String()
    handle = fields.String(allow_none=True)
    points = fields.Integer(
        allow_none=True, metadata={"description": "What the game has brought; null until it is over."}
    )


class Paired(Answer):
    """The players of one game in one round, in the order of their seats."""

    round = fields.Integer()
    game = fields.UUID(allow_none=True, metadata={"description": "Null until it is made, and where none is played."})
    players = fields.List(fields.Nested(PairedPlayer))


class CompetitionTable(Answer):
    """The table of a tournament, and its games."""

    table = fields.List(fields.Nested(Line))
    games = fields.List(fields.Nested(Paired))


class Group(CompetitionTable):
    """A group of a season: its table and its games."""

    tier = fields.Integer(metadata={"description": "1 is the highest."})
    group = fields.Integer(metadata={"description": "From 1 in the season."})


class GroupsWanted(Schema):
    """The groups to list."""

    after = Number(least=0, metadata={"description": "`next` of the page before."})
    limit = PageLimit("groups", most=50, usual=10)


class GroupsListed(Answer):
    """A page of groups, the highest tier first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(Group))
    next = fields.Integer(allow_none=True)


class NewTournament(Schema):
    """A tournament to host."""

    title = Name(required=True)
    ruleset = Text(most=60, pattern=SLUG, required=True)
    seats = Whole(
        least=2, most=4, required=True, metadata={"description": "The players of a game; it may be one less."}
    )
    options = fields.Dict(keys=Text(most=60), values=fields.Raw(allow_none=True), metadata=_OPTIONS)
    pace = fields.Nested(NewPace, metadata={"description": "The clock of its games, `daily` when absent; not `none`."})
    system = fields.String(
        required=True,
        validate=validate.OneOf(SYSTEMS),
        metadata={"description": "`round-robin`: everybody meets everybody; `swiss`: neighbours in the table meet."},
    )
    rounds = Whole(
        least=1,
        most=15,
        metadata={"description": "Of a Swiss tournament; when absent as many as it takes to halve the field to one."},
    )
    access = fields.String(
        validate=validate.OneOf(ACCESS),
        metadata={"description": "`public`, when absent: everybody may enter; `invitation`: those who are invited."},
    )
    next_round = fields.String(
        validate=validate.OneOf(NEXT_ROUND),
        metadata={"description": "`by-itself`, when absent: when a round is over; `host`: when its host says so."},
    )


class TournamentsWanted(Schema):
    """The tournaments to list."""

    mine = fields.String(
        validate=validate.Equal("true"),
        metadata={"description": "Those that one hosts, has entered or is invited to; the public ones when absent."},
    )
    after = Cursor()
    limit = PageLimit("tournaments")


class Host(Answer):
    """Who hosts a tournament."""

    name = fields.String()
    handle = fields.String(allow_none=True)


class Tournament(Answer):
    """A tournament."""

    id = fields.UUID()
    title = fields.String()
    host = fields.Nested(Host)
    ruleset = fields.String()
    seats = fields.Integer()
    options = fields.Dict(keys=fields.String(), values=fields.Raw(allow_none=True), metadata=_OPTIONS)
    pace = pace_shown()
    system = fields.String(validate=validate.OneOf(SYSTEMS))
    access = fields.String(validate=validate.OneOf(ACCESS))
    next_round = fields.String(validate=validate.OneOf(NEXT_ROUND))
    state = fields.String(validate=validate.OneOf(STATES), metadata=_STATE)
    round = fields.Integer(metadata=_ROUND)
    rounds = fields.Integer(allow_none=True, metadata={"description": "Null where they follow from who enters."})
    entrants = fields.Integer(metadata={"description": "How many have entered."})
    entry = fields.String(allow_none=True, validate=validate.OneOf(ENTRIES), metadata=_ENTRY)
    created_at = fields.DateTime()
    started_at = fields.DateTime(allow_none=True)
    over_at = fields.DateTime(allow_none=True)


class TournamentsListed(Page):
    """A page of tournaments, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(Tournament))


class NewRound(Schema):
    """The round to begin."""

    after = Whole(
        least=0,
        most=_LAST_ROUND - 1,
        required=True,
        metadata={"description": "`round` of the tournament as one has seen it: sent twice, it begins one round."},
    )


class NewTournamentInvitation(Schema):
    """Whom to invite to a tournament."""

    to = Text(
        least=HANDLE_MIN_LENGTH,
        most=HANDLE_MAX_LENGTH,
        pattern=HANDLE_PATTERN,
        required=True,
        metadata={"description": "The handle of a player."},
    )


class EnteredCompetition(Answer):
    """A season or a tournament that one hosts, has entered, or is invited to."""

    league = fields.String(allow_none=True, metadata={"description": "Of a season; else null."})
    number = fields.Integer(allow_none=True)
    tournament = fields.UUID(allow_none=True)
    title = fields.String()
    hosts = fields.Boolean()
    entry = fields.String(allow_none=True, validate=validate.OneOf(ENTRIES), metadata=_ENTRY)
    entered_at = fields.DateTime(allow_none=True)
    place = fields.Integer(allow_none=True)
    points = fields.Integer(allow_none=True)
