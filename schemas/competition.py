"""Schemas of ratings, leagues, tournaments and the deals of days."""

from __future__ import annotations

import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any
from uuid import UUID

from marshmallow import Schema, ValidationError, fields, validate

from schemas.answer import Answer, Page, PageLimit
from schemas.fields import CURSOR, INT32, SLUG, Cursor, Day, FullMatch, Number, Text, Whole
from schemas.lobby import ACCESS
from schemas.names import Name
from schemas.pace import NewPace, pace_shown
from service.texts.names import HANDLE_MAX_LENGTH, HANDLE_MIN_LENGTH, HANDLE_PATTERN

_FORM = struct.Struct(">dqQ")


class RatingCursor(fields.String):
    """A place in a leaderboard; opaque to clients, loads as (place, what is almost sure, id)."""

    def __init__(self, **kwargs: Any) -> None:
        given_out = FullMatch(CURSOR, error="Not a cursor that was given out.")
        super().__init__(validate=[validate.Length(max=32), given_out], **kwargs)

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the place, or raise ValidationError."""
        said = super().deserialize(value, *args, **kwargs)
        if not isinstance(said, str):
            return said
        sure, identity, place = _FORM.unpack(urlsafe_b64decode(said))
        if not (abs(sure) < 1e6 and identity >= 0 and place < 2**31):
            raise ValidationError("Not a cursor that was given out.")
        return place, sure, identity


def rating_cursor(place: int, sure: float, identity: int) -> str:
    """Return the cursor of a place in a leaderboard."""
    return urlsafe_b64encode(_FORM.pack(sure, identity, place)).decode()


class LeaderboardWanted(Schema):
    """The page of a leaderboard to show."""

    provisional = fields.String(
        validate=validate.OneOf(("true", "false")),
        metadata={"description": "The players with fewer than ten rated games instead of the others."},
    )
    after = RatingCursor(metadata={"description": "`next` of the page before, for the same `provisional`."})
    limit = PageLimit("players")


class Rated(Answer):
    """A rating."""

    number = fields.Integer(metadata={"description": "1500 for a newcomer."})
    margin = fields.Integer(metadata={"description": "The uncertainty: one standard deviation."})
    games = fields.Integer(metadata={"description": "How many rated games it follows from."})
    provisional = fields.Boolean(
        metadata={"description": "Whether those are fewer than ten, or against fewer than five people."},
    )


class PlayerRating(Rated):
    """A player's rating for a ruleset and a number of players, and how it came about."""

    ruleset = fields.String()
    seats = fields.Integer()
    course = fields.List(
        fields.Integer(),
        metadata={"description": "The numbers after each of the last rated games, 100 at most; the latest one last."},
    )
    since = fields.DateTime(allow_none=True, metadata={"description": "When the first game of the `course` was over."})
    until = fields.DateTime(allow_none=True, metadata={"description": "When the last game of the `course` was over."})
    change = fields.Integer(allow_none=True, metadata={"description": "What the last game has done to the number."})


class RatedPlayer(Rated):
    """A player in a leaderboard."""

    place = fields.Integer(metadata={"description": "1 for the best."})
    name = fields.String(allow_none=True, metadata={"description": "Null for a player whose profile is not public."})
    handle = fields.String(allow_none=True, metadata={"description": "Null as well without a handle."})
    own = fields.Boolean(metadata={"description": "Whether it is oneself."})


class LeaderboardListed(Answer):
    """A leaderboard: the ruleset and the number of players that its ratings are of."""

    ruleset = fields.String()
    title = fields.String()
    seats = fields.Integer()
    own = fields.Nested(Rated, allow_none=True, metadata={"description": "One's own rating; null without one."})


class Leaderboards(Answer):
    """All leaderboards."""

    items = fields.List(fields.Nested(LeaderboardListed))


class OwnPlace(Rated):
    """One's own rating and place."""

    place = fields.Integer(
        allow_none=True,
        metadata={"description": "Null for a provisional rating, and beyond the first 10 000."},
    )


class Leaderboard(Answer):
    """A page of a leaderboard; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(RatedPlayer))
    own = fields.Nested(OwnPlace, allow_none=True, metadata={"description": "One's own; null without a rating."})
    next = fields.String(allow_none=True)


# Leagues and tournaments.

COMPETITION_STATES = ("entry", "running", "over", "cancelled")
ENTRY_STATES = ("invited", "entered", "left-out", "withdrawn")
SYSTEMS = ("round-robin", "swiss")
NEXT_ROUND = ("by-itself", "host")
_LAST_ROUND = 63
"""Rounds of a round robin of 64 at tables for two."""
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
    state = fields.String(validate=validate.OneOf(COMPETITION_STATES), metadata=_STATE)
    round = fields.Integer(metadata=_ROUND)
    rounds = fields.Integer()
    entry_until = fields.DateTime(metadata={"description": "When entry ends, and the season begins."})
    started_at = fields.DateTime(allow_none=True)
    over_at = fields.DateTime(allow_none=True)


class NewestSeason(Season):
    """The newest season of a league."""

    entry = fields.String(allow_none=True, validate=validate.OneOf(ENTRY_STATES), metadata=_ENTRY)


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
    state = fields.String(validate=validate.OneOf(ENTRY_STATES))


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
    """The host of a tournament."""

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
    state = fields.String(validate=validate.OneOf(COMPETITION_STATES), metadata=_STATE)
    round = fields.Integer(metadata=_ROUND)
    rounds = fields.Integer(allow_none=True, metadata={"description": "Null where they follow from who enters."})
    entrants = fields.Integer(metadata={"description": "How many have entered."})
    entry = fields.String(allow_none=True, validate=validate.OneOf(ENTRY_STATES), metadata=_ENTRY)
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
    """An invitation to a tournament."""

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
    entry = fields.String(allow_none=True, validate=validate.OneOf(ENTRY_STATES), metadata=_ENTRY)
    entered_at = fields.DateTime(allow_none=True)
    place = fields.Integer(allow_none=True)
    points = fields.Integer(allow_none=True)


# Deals of days: the commitment, a player's own try, results, tables of weeks and months.

PERIODS = ("week", "month")
DEAL_STATES = ("ahead", "running", "over")
_PLACE = r"^[A-Za-z0-9_-]{40}$"
_SIGN = 2**31
_FORGED = "Not a cursor that was given out."


class PlaceInTable(fields.String):
    """A place in a table; opaque to clients, loads as (figure, whether won, player, place, rows until there)."""

    def __init__(self, **kwargs: Any) -> None:
        given_out = FullMatch(_PLACE, error=_FORGED)
        super().__init__(validate=[validate.Length(max=40), given_out], **kwargs)

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the place, or raise ValidationError."""
        text = super().deserialize(value, *args, **kwargs)
        if not isinstance(text, str):
            return text
        data = urlsafe_b64decode(text)
        figure, place, rows = (int.from_bytes(data[at : at + 4], "big") for at in (0, 21, 25))
        if max(place, rows) > INT32:
            raise ValidationError(_FORGED)
        return figure - _SIGN, bool(data[4]), UUID(bytes=data[5:21]), place, rows


def place_cursor(figure: int, won: bool, player: UUID, place: int, rows: int) -> str:
    """Return the cursor of a place in a table; a byte more spares it the sign for the rest."""
    begin = (figure + _SIGN).to_bytes(4, "big") + bytes([won]) + player.bytes
    return urlsafe_b64encode(begin + place.to_bytes(4, "big") + rows.to_bytes(4, "big") + b"\0").decode()


class NewTry(Schema):
    """A try of today's deal."""

    nonce = Text(
        least=32,
        most=64,
        pattern=r"^([0-9a-f]{2})+$",
        metadata={"description": "The seat's own value, as in any game; it does not change the cards of a deal."},
    )


class TryResult(Answer):
    """The result of a try."""

    margin = fields.Integer(
        allow_none=True,
        metadata={"description": "Points ahead of the automaton; null without a result."},
    )
    won = fields.Boolean(allow_none=True)
    points = fields.Integer(allow_none=True)


class OwnTry(TryResult):
    """One's own try of a deal."""

    game = fields.UUID()
    begun_at = fields.DateTime()
    ended_at = fields.DateTime(allow_none=True)
    place = fields.Integer(
        allow_none=True,
        metadata={"description": "Null without a result, and for accounts without a handle, which stand in no table."},
    )
    named = fields.Boolean(metadata={"description": "Whether the account stands in tables."})


class BestKnown(TryResult):
    """The best result of a computer player, of several games with the same cards."""

    level = fields.String()
    version = fields.Integer(metadata={"description": "The version of the computer players."})


class PlayedDeal(Answer):
    """The deal of a day: its game, and the commitment to its seed."""

    day = fields.Date()
    ruleset = fields.String()
    seats = fields.Integer()
    options = fields.Dict(keys=fields.String(), values=fields.Raw(allow_none=True))
    commitment = fields.String(metadata={"description": "SHA-256 over the seed, in hex."})


class Deal(PlayedDeal):
    """The deal of a day, as one may see it."""

    state = fields.String(validate=validate.OneOf(DEAL_STATES))
    ends_at = fields.DateTime()
    played = fields.Integer(metadata={"description": "How many people have a result."})
    results_shown = fields.Boolean(metadata={"description": "Whether one's own try, or the day, is over."})
    own = fields.Nested(OwnTry, allow_none=True)
    best = fields.Nested(
        BestKnown,
        allow_none=True,
        metadata={"description": "Null until results are shown, and until computer players have tried the deal."},
    )


class WayToRoot(Answer):
    """A day's root, and the way from the signature of a deal to it."""

    day = fields.Date()
    root = fields.String()
    count = fields.Integer()
    index = fields.Integer()
    path = fields.List(fields.String())


class DealProof(PlayedDeal):
    """The proof of the deal of a day; `boardroom verify --deal` reads it."""

    at = fields.DateTime(metadata={"description": "When it was signed."})
    public = fields.String(metadata={"description": "The public key that it was signed with, in hex."})
    signature = fields.String(metadata={"description": "Ed25519, in hex."})
    seed = fields.String(allow_none=True, metadata={"description": "Null until the day is over."})
    tree = fields.Nested(WayToRoot, allow_none=True)


class DealsWanted(Schema):
    """A page of days."""

    after = Day(metadata={"description": "`next` of the page before."})
    limit = PageLimit("days")


class DealsListed(Page):
    """A page of deals whose day is over, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(PlayedDeal))


class ResultsWanted(Schema):
    """A page of results."""

    players = fields.String(
        validate=validate.OneOf(("people", "bots")), metadata={"description": "Whose results; people's when absent."}
    )
    after = PlaceInTable(metadata={"description": "`next` of the page before."})
    limit = PageLimit("rows")


class _Placed(Answer):
    place = fields.Integer(metadata={"description": "Equal results share a place."})
    name = fields.String(allow_none=True, metadata={"description": "Null for those who do not show their profile."})
    handle = fields.String(allow_none=True)
    you = fields.Boolean()


class PlacedResult(_Placed, TryResult):
    """A row of a day's table."""


class DealResults(Page):
    """A page of a day's table; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(PlacedResult))


class StandingsWanted(Schema):
    """A page of the table of a week or a month."""

    period = fields.String(
        validate=validate.OneOf(PERIODS),
        metadata={"description": "`week`, from Monday on, or `month`; `week` when absent."},
    )
    day = Day(metadata={"description": "A day of it; today when absent."})
    after = PlaceInTable(metadata={"description": "`next` of the page before."})
    limit = PageLimit("rows")


class PlacedTotal(_Placed):
    """A row of the table of a week or a month."""

    total = fields.Integer(metadata={"description": "The sum of the best margins: five of a week, twenty of a month."})
    days = fields.Integer(metadata={"description": "On how many days there was a result."})


class DealStandings(Answer):
    """A page of the table of a week or a month; ask again with `after` = `next` unless that is null."""

    period = fields.String(validate=validate.OneOf(PERIODS))
    since = fields.Date()
    items = fields.List(fields.Nested(PlacedTotal))
    next = fields.String(allow_none=True)


class TriedDay(TryResult):
    """One's own try of the deal of a day, and the best result of a computer player."""

    day = fields.Date()
    game = fields.UUID()
    ended_at = fields.DateTime(allow_none=True)
    best = fields.Nested(BestKnown, allow_none=True)


class Series(Page):
    """A page of one's own tries, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(TriedDay))
