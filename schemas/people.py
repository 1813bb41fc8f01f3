"""Schemas of accounts, profiles, friends and blocks, reports, and the export of an account."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from schemas.access import AppListed, Bot, Grant, TokenKept, TokenKnown
from schemas.answer import Answer, Page, PageLimit
from schemas.competition import EnteredCompetition, PlayerRating, TriedDay
from schemas.fields import LANGUAGE, Cursor, Email, Flag, Text, TimeZone, Whole, needing
from schemas.lobby import Challenge
from schemas.messages import CalendarShown, Channel, Mail, ReplyAddress, Webhook
from schemas.names import NameOfAccount
from schemas.operation import Allowance
from schemas.pace import Absence, Condition
from schemas.play import Remark, Table
from service.store.people import VISIBILITIES
from service.texts.names import HANDLE_MAX_LENGTH, HANDLE_MIN_LENGTH, HANDLE_PATTERN

_BOUND = "Figures are of the last 200 games that are over."


class NewPlayer(Schema):
    """A player to register."""

    name = NameOfAccount(required=True)
    email = Email(allow_none=True)
    language = Text(
        least=2, most=2, pattern=LANGUAGE, metadata={"description": "When absent, by the header Accept-Language."}
    )
    time_zone = TimeZone(most=64)


class Owner(Answer):
    """The owner of a bot."""

    id = fields.UUID()
    name = fields.String()


class Player(Answer):
    """An account as only its own player sees it."""

    id = fields.UUID()
    name = fields.String()
    handle = fields.String(allow_none=True, metadata={"description": "What leads to this account alone; null if none."})
    visibility = fields.String(metadata={"description": "Who sees the profile, as in PATCH /me."})
    email = fields.String(allow_none=True)
    email_verified = fields.Boolean(metadata={"description": "Whether one has signed in with it."})
    email_confirmed = fields.Boolean(
        metadata={"description": "Whether mails go there: somebody who reads them there has said that they want them."},
    )
    language = fields.String()
    time_zone = fields.String()
    asked_twice = fields.Boolean(
        metadata={"description": "Whether pages ask once more before an action that shows something hidden."},
    )
    bot = fields.Boolean()
    owner = fields.Nested(Owner, allow_none=True, metadata={"description": "Null but for a bot."})


class Registered(Player):
    """A new player with a token, which is shown only once."""

    token = fields.String()


class ProfileChanged(Schema):
    """The fields of the profile to change."""

    name = NameOfAccount()
    language = Text(least=2, most=2, pattern=LANGUAGE)
    time_zone = TimeZone(most=64)
    asked_twice = Flag()
    handle = Text(
        least=HANDLE_MIN_LENGTH,
        most=HANDLE_MAX_LENGTH,
        pattern=HANDLE_PATTERN,
        allow_none=True,
        metadata={
            "description": "What leads to one account alone; null gives it back, and nobody else has it for a year."
        },
    )
    visibility = fields.String(
        validate=validate.OneOf(VISIBILITIES),
        metadata={"description": "Who sees the profile: everybody, one's friends, or oneself alone (`hidden`)."},
    )


class Confirmed(Schema):
    """The confirmation of a deletion: the player's own name."""

    confirm = Text(most=60, required=True)


class Me(Player):
    """The player who asks, the token of the request, and the player's rate limits."""

    token = fields.Nested(TokenKnown)
    limits = fields.List(fields.Nested(Allowance))


class GamesPlayed(Answer):
    """The number of games of a ruleset, with so many seats, that a player has finished."""

    ruleset = fields.String()
    seats = fields.Integer()
    games = fields.Integer()


class GamesCounted(GamesPlayed):
    """The results of a player's games of a ruleset, with so many seats."""

    computers = fields.Boolean(metadata={"description": "Whether the player was the only person at the table."})
    won = fields.Integer(metadata={"description": "How many of the games the player has won."})
    points = fields.Float(allow_none=True, metadata={"description": "Points a game, on average."})
    best = fields.Integer(allow_none=True, metadata={"description": "The most points in one game."})


class PointsMade(Answer):
    """Points that a player has made in one way, in games of a ruleset among people."""

    ruleset = fields.String()
    source = fields.String(metadata={"description": "What they were made with; the same in all languages."})
    label = fields.String(metadata={"description": "The name of it, in the language of the account."})
    points = fields.Integer()


class PlayerAnswers(Answer):
    """The punctuality and pace of a player's answers."""

    games = fields.Integer(metadata={"description": f"The games that are counted. {_BOUND}"})
    deadlines = fields.Integer(metadata={"description": "Deadlines that the player was given."})
    kept = fields.Integer(metadata={"description": "Those that the player has kept."})
    moves_per_day = fields.Float(
        metadata={"description": "Moves a day, from the beginning of the first of the games on."}
    )
    median = fields.Integer(
        allow_none=True,
        metadata={"description": "Seconds from being asked to the answer, in the middle of all answers."},
    )
    fastest = fields.Integer(allow_none=True, metadata={"description": "The least of these seconds."})


class GameOverOpponent(Answer):
    """Another player of a game; the `handle` is null where it is not for everybody."""

    name = fields.String()
    handle = fields.String(allow_none=True)


class GameOver(Answer):
    """The result of a game for a player; only a reader who may see the table learns the game and the others."""

    game = fields.UUID(allow_none=True)
    name = fields.String(allow_none=True)
    others = fields.List(fields.Nested(GameOverOpponent))
    ruleset = fields.String()
    seats = fields.Integer()
    computers = fields.Boolean()
    place = fields.Integer(
        allow_none=True, metadata={"description": "1 for who has won; null where nothing was counted."}
    )
    won = fields.Boolean()
    left = fields.Boolean(metadata={"description": "Whether the player has left the seat to another person."})
    points = fields.Integer(allow_none=True)
    scores = fields.List(
        fields.Integer(),
        allow_none=True,
        metadata={
            "description": "The points of all: the player's, those of `others` in their order, then an automaton's. "
            "Null where nothing was counted, and where the reader may not see the table."
        },
    )
    rating_change = fields.Integer(
        allow_none=True,
        metadata={"description": "What the game has done to the player's rating; null if it was not rated."},
    )
    ended_at = fields.DateTime()


class Profile(Answer):
    """An account as others may see it."""

    handle = fields.String()
    name = fields.String()
    bot = fields.Boolean()
    since = fields.Date(metadata={"description": "The day on which the account was made, in UTC."})
    played = fields.List(
        fields.Nested(GamesPlayed),
        metadata={"description": "Games that are over, in which the player has a seat; imported ones are not counted."},
    )
    results = fields.List(fields.Nested(GamesCounted), metadata={"description": _BOUND})
    sources = fields.List(
        fields.Nested(PointsMade),
        metadata={"description": f"What points were made with, as far as rulesets tell. {_BOUND}"},
    )
    answers = fields.Nested(PlayerAnswers)
    ratings = fields.List(
        fields.Nested(PlayerRating),
        metadata={"description": "One for each ruleset and number of players, those with the most games first."},
    )
    last = fields.List(fields.Nested(GameOver), metadata={"description": "The last ten games, the newest first."})


# Decisions of players about each other: friends, blocked and ignored players.

FRIEND_STATES = ("asked", "asks", "friend")


class OtherPlayer(Schema):
    """Another person: by the handle, or by a seat of a game that one may see."""

    handle = Text(
        least=HANDLE_MIN_LENGTH,
        most=HANDLE_MAX_LENGTH,
        pattern=HANDLE_PATTERN,
        metadata={"description": "The player's handle."},
    )
    game = fields.UUID(metadata={"description": "A game that one may see, in place of the handle; with `seat`."})
    seat = Whole(least=0, most=15, metadata={"description": "The player's seat in the game."})

    TOGETHER: ClassVar = {
        "oneOf": [
            {**needing("handle"), "not": needing("game")},
            {**needing("game", "seat"), "not": needing("handle")},
        ]
    }

    @validates_schema
    def names_one(self, posted: dict[str, Any], **_: Any) -> None:
        """Refuse what names nobody, or somebody twice; ValidationError."""
        if ("handle" in posted) == ("game" in posted):
            raise ValidationError("Name either a handle, or a game and a seat.", "handle")
        if "game" in posted and "seat" not in posted:
            raise ValidationError("Missing data for required field.", "seat")


class PlayersWanted(Schema):
    """The players of a list."""

    after = Cursor()
    limit = PageLimit("players")


class ListedPlayer(Answer):
    """A player of a list of one's own; `id` is that of the entry."""

    id = fields.UUID()
    name = fields.String()
    handle = fields.String(
        allow_none=True,
        metadata={
            "description": "Of those whose profile everybody may see, of friends, and of those who ask to be one."
        },
    )
    bot = fields.Boolean()
    since = fields.DateTime()


class ListedPlayers(Page):
    """A page of players, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(ListedPlayer))


class Friend(ListedPlayer):
    """A friend, or a player who is asked to be one."""

    state = fields.String(
        validate=validate.OneOf(FRIEND_STATES),
        metadata={"description": "`friend`; `asked` by oneself; or `asks`, and waits for one's answer."},
    )


class Friends(Page):
    """A page of friends and of requests, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(Friend))


class Entered(Answer):
    """An entry of a list of one's own."""

    id = fields.UUID()


# Reports to the operators.

REPORT_SUBJECTS = ("talk", "name", "profile", "tournament")
REPORT_FIELDS: Final = {
    "talk": ("game", "number"),
    "name": ("game", "seat"),
    "profile": ("handle",),
    "tournament": ("tournament",),
}
"""The fields that say what a report is about: where it is, and for a table also what it is there."""


class NewReport(Schema):
    """A report: of the remark `number`, the name of the player in `seat`, a profile, or the title of a tournament."""

    game = fields.UUID(metadata={"description": "The game, with `about` talk or name."})
    about = fields.String(required=True, validate=validate.OneOf(REPORT_SUBJECTS))
    number = Whole(least=1, metadata={"description": "The number of the remark, with `about` talk."})
    seat = Whole(least=0, metadata={"description": "The seat of the player, with `about` name."})
    handle = Text(
        least=HANDLE_MIN_LENGTH,
        most=HANDLE_MAX_LENGTH,
        pattern=HANDLE_PATTERN,
        metadata={"description": "The handle, with `about` profile."},
    )
    tournament = fields.UUID(metadata={"description": "The tournament, with `about` tournament."})
    text = Text(least=1, most=500, required=True, metadata={"description": "What is wrong with it."})

    TOGETHER: ClassVar = {
        "allOf": [
            {"if": {"properties": {"about": {"const": about}}}, "then": needing(*needed)}
            for about, needed in REPORT_FIELDS.items()
        ]
    }

    @validates_schema
    def fits(self, posted: dict[str, Any], **_: Any) -> None:
        """Refuse a report that does not say what it is about; ValidationError."""
        for needed in REPORT_FIELDS[posted["about"]]:
            if needed not in posted:
                raise ValidationError("Missing data for required field.", needed)


class Report(Answer):
    """A report of the player's own, and its answer once there is one."""

    id = fields.UUID()
    game = fields.UUID(allow_none=True, metadata={"description": "Of a remark or a name; else null."})
    tournament = fields.UUID(allow_none=True, metadata={"description": "Of a title; else null."})
    about = fields.String(validate=validate.OneOf(REPORT_SUBJECTS))
    number = fields.Integer(allow_none=True, metadata={"description": "Of a remark; else null."})
    quoted = fields.String(metadata={"description": "What is reported, as it was at that moment."})
    text = fields.String()
    created_at = fields.DateTime()
    answer = fields.String(allow_none=True)
    answered_at = fields.DateTime(allow_none=True)


class ReportMade(Answer):
    """A report that was made."""

    id = fields.UUID()


class Reports(Page):
    """A page of the player's reports; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(Report))


class ReportsWanted(Schema):
    """The reports to list."""

    after = Cursor()
    limit = PageLimit("reports", usual=100)


# The export of an account.


class NoteKept(Answer):
    """The player's own notes on a game."""

    game = fields.UUID()
    text = fields.String()
    at = fields.DateTime()


class OrderKept(Answer):
    """A move that the player has given ahead."""

    game = fields.UUID()
    action = fields.Dict()
    conditions = fields.List(fields.Nested(Condition))
    given_at = fields.DateTime()


class RemarkKept(Remark):
    """A remark of the player at a table."""

    game = fields.UUID()


class ReplyKept(Answer):
    """A mail reply of the last fourteen days; the mail itself is stored encrypted, and is not part of the export."""

    game = fields.UUID()
    at = fields.DateTime()
    outcome = fields.String(
        allow_none=True, metadata={"description": "What came of it; null while it is not read yet."}
    )


class Outcomes(Answer):
    """The numbers of deliveries to a webhook by state, of those that are still listed."""

    pending = fields.Integer()
    delivered = fields.Integer()
    failed = fields.Integer()
    skipped = fields.Integer()


class WebhookKept(Webhook):
    """A webhook of the player, without its secrets."""

    deliveries = fields.Nested(Outcomes)


class InvitationKept(Answer):
    """An invitation, revoked or not."""

    id = fields.UUID()
    game = fields.UUID()
    created_at = fields.DateTime()
    expires_at = fields.DateTime()
    revoked_at = fields.DateTime(allow_none=True)


class InvitationGiven(InvitationKept):
    """An invitation from the player: to an address, to a player, or, with neither, by a link."""

    email = fields.String(allow_none=True)
    player = fields.String(allow_none=True, metadata={"description": "The name of the player."})


class InvitationGot(InvitationKept):
    """An invitation to the player; `host` is the name of the player who invites."""

    host = fields.String()


class GameCounted(Answer):
    """A game that is over, as it counts on the player's profile.

    `waits` are the seconds to each answer, `sources` the player's points by what they were made with.
    """

    game = fields.UUID()
    place = fields.Integer(allow_none=True)
    won = fields.Boolean()
    left = fields.Boolean()
    points = fields.Integer(allow_none=True)
    moves = fields.Integer()
    asked = fields.Integer()
    lapsed = fields.Integer()
    waits = fields.List(fields.Integer())
    sources = fields.Dict(keys=fields.String(), values=fields.Integer(), allow_none=True)


class SeatLeft(Answer):
    """A seat of a game that the player has left to another person, with the event `until`."""

    game = fields.UUID()
    seat = fields.Integer()
    joined_at = fields.DateTime()
    left_at = fields.DateTime()
    until = fields.Integer()


class SeatRequestKept(Answer):
    """A request of the player's for a seat of a running game."""

    game = fields.UUID()
    seat = fields.Integer()
    created_at = fields.DateTime()
    answer = fields.String(allow_none=True, metadata={"description": "`agreed` or `declined`; null while it is open."})


class PasskeyKept(Answer):
    """A passkey of the player's, without its keys."""

    id = fields.UUID()
    name = fields.String()
    created_at = fields.DateTime()
    last_used_at = fields.DateTime(allow_none=True)
    copied_at = fields.DateTime(
        allow_none=True,
        metadata={"description": "When its counter ran backwards, since when it signs nobody in; null for all others."},
    )


class HandleReleased(Answer):
    """A handle that the player gave back within the last year."""

    skeleton = fields.String(
        metadata={"description": "What it looks like: `0` is `o`, `1` and `i` are `l`, `m` is `rn`."}
    )
    released_at = fields.DateTime()


class OperatorAct(Answer):
    """An operator's act on the account or its address, with the reason."""

    at = fields.DateTime()
    act = fields.String(metadata={"description": "In one word, such as `blocked`."})
    reason = fields.String(metadata={"description": "Empty for what an operator does to their own account."})
    text = fields.String()


class Export(Answer):
    """All data kept about the player; each game as the player may see it."""

    account = fields.Nested(Player)
    tokens = fields.List(fields.Nested(TokenKept))
    former_handles = fields.List(fields.Nested(HandleReleased))
    passkeys = fields.List(fields.Nested(PasskeyKept))
    bots = fields.List(fields.Nested(Bot))
    apps = fields.List(fields.Nested(AppListed))
    grants = fields.List(fields.Nested(Grant))
    games = fields.List(fields.Nested(Table))
    left = fields.List(fields.Nested(SeatLeft))
    seat_requests = fields.List(fields.Nested(SeatRequestKept))
    notes = fields.List(fields.Nested(NoteKept))
    orders = fields.List(fields.Nested(OrderKept))
    talk = fields.List(fields.Nested(RemarkKept))
    replies = fields.List(fields.Nested(ReplyKept))
    mail = fields.Nested(Mail)
    absences = fields.List(fields.Nested(Absence))
    webhooks = fields.List(fields.Nested(WebhookKept))
    channels = fields.List(fields.Nested(Channel))
    calendar = fields.Nested(CalendarShown)
    reply_addresses = fields.List(fields.Nested(ReplyAddress))
    operator_acts = fields.List(fields.Nested(OperatorAct))
    reports = fields.List(fields.Nested(Report))
    deals = fields.List(fields.Nested(TriedDay))
    challenges = fields.List(fields.Nested(Challenge))
    ratings = fields.List(fields.Nested(PlayerRating))
    competitions = fields.List(fields.Nested(EnteredCompetition))
    counted = fields.List(fields.Nested(GameCounted))
    friends = fields.List(fields.Nested(Friend))
    blocks = fields.List(fields.Nested(ListedPlayer))
    ignored = fields.List(fields.Nested(ListedPlayer))
    invitations = fields.List(fields.Nested(InvitationGiven))
    invited = fields.List(fields.Nested(InvitationGot))
