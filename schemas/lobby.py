"""Schemas of the lobby: players, rulesets, games to open and to find."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.answer import Answer
from schemas.computers import LEVELS, computers_wanted
from schemas.fields import LANGUAGE, SLUG, Cursor, Email, Flag, Number, Text, TimeZone, Whole
from schemas.names import Name, NameOfAccount
from schemas.pace import NewPace, pace_shown
from schemas.pages import Page, PageLimit
from schemas.play import STATUSES
from service.texts.names import HANDLE_MAX_LENGTH, HANDLE_MIN_LENGTH, HANDLE_PATTERN

NONCE = "^([0-9a-f]{2}){16,64}$"
NONCE_MEANS = (
    "One's own value of chance, 16 to 64 bytes as lower-case hex, best drawn by one's own client: all shuffles and "
    "rolls follow from those of all seats and from the seed of the game. When absent the service draws it."
)
ACCESS = ("public", "invitation")
STARTS = ("host", "full")
ON_RESIGNATION = ("play-on", "end")
SORTS = ("newest", "deadline")


class NewPlayer(Schema):
    """A player to register."""

    name = NameOfAccount(required=True)
    email = Email(allow_none=True)
    language = Text(
        least=2, most=2, pattern=LANGUAGE, metadata={"description": "When absent, by the header Accept-Language."}
    )
    time_zone = TimeZone(most=64)


class NewGame(Schema):
    """A game to open; the player who asks is its host and takes seat 0."""

    ruleset = Text(most=60, pattern=SLUG, required=True)
    seats = Whole(least=1, most=16, required=True)
    options = fields.Dict(keys=Text(most=60), values=fields.Raw(allow_none=True))
    name = Name(allow_none=True, metadata={"description": "What the table is called."})
    access = fields.String(
        validate=validate.OneOf(ACCESS),
        metadata={
            "description": "`public`: anybody may find the game and join it; `invitation`, when absent: nobody knows "
            "of it but those who sit there and those who are invited. A game for one is never public."
        },
    )
    spectators = Flag(metadata={"description": "Whether others may look on at a public game; true when absent."})
    start = fields.String(
        validate=validate.OneOf(STARTS),
        metadata={"description": "`full`: with the last seat taken; `host`, when absent: the host starts the game."},
    )
    nonce = Text(least=32, most=128, pattern=NONCE, metadata={"description": NONCE_MEANS})
    on_resignation = fields.String(
        validate=validate.OneOf(ON_RESIGNATION),
        metadata={"description": "Whether the others `play-on` when somebody resigns, as when absent, or all `end`."},
    )
    training = Flag(
        metadata={
            "description": "Whether the players may take hints, which is told to all and counted in the record; false "
            "when absent. In a game for one they always may."
        }
    )
    pace = fields.Nested(
        NewPace,
        metadata={"description": "The clock; `daily` when absent, but for a game for one, which never has a clock."},
    )
    rated = Flag(
        metadata={
            "description": "Whether the result changes the ratings of the players (GET /leaderboards). When absent it "
            "does where all seats are for people, there is a clock and it is no training; no other game can be rated."
        }
    )
    computers = computers_wanted()


class OwnNonce(Schema):
    """The player's own nonce for a game."""

    nonce = Text(least=32, most=128, pattern=NONCE, metadata={"description": NONCE_MEANS})


class NewFork(NewGame):
    """A fork of a finished game; it has the ruleset, seats and options of that game."""

    class Meta:
        """The fields that a fork takes from its game."""

        exclude = ("ruleset", "seats", "options", "computers", "rated")

    seq = Whole(
        least=1,
        required=True,
        metadata={"description": "The number of an event; the new game goes on after the step that it belongs to."},
    )


class GamesWanted(Schema):
    """The filters of the list of games that the player may see."""

    mine = fields.String(
        validate=validate.OneOf(("true", "false")),
        metadata={"description": "Only the games that one sits in, or only the others."},
    )
    status = fields.String(
        validate=validate.OneOf(STATUSES), metadata={"description": "Only games of this status; all when absent."}
    )
    ruleset = Text(most=60, pattern=SLUG, metadata={"description": "Only games of this ruleset."})
    opponent = Text(
        least=HANDLE_MIN_LENGTH,
        most=HANDLE_MAX_LENGTH,
        pattern=HANDLE_PATTERN,
        metadata={
            "description": "Only games in which the player with this handle has a seat; none if one may not see the "
            "profile of that player. What one is invited to is not searched."
        },
    )
    origin = fields.String(
        validate=validate.Equal("import"),
        metadata={"description": "Only games that were brought here as records; none of them when absent."},
    )
    open_to_me = fields.String(
        validate=validate.Equal("true"),
        metadata={"description": "Only open games with a free seat that one could take: public, or one is invited."},
    )
    seats_free = Number(least=1, most=16, metadata={"description": "Only open games with as many free seats or more."})
    sort = fields.String(
        validate=validate.OneOf(SORTS),
        metadata={
            "description": "`newest`, as when absent, or `deadline`: the games with the earliest deadline of one's own "
            "seat first, and those without one last."
        },
    )
    after = Cursor(metadata={"description": "`next` of the page before; for the same `sort`."})
    limit = PageLimit("games")


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


class Option(Answer):
    """An option of a ruleset, which the host chooses."""

    name = fields.String()
    type = fields.String()
    default = fields.Raw(allow_none=True)
    text = fields.Dict(keys=fields.String(), values=fields.String())


class LevelsAtTable(Answer):
    """The levels that computer players have at a table of so many seats."""

    seats = fields.Integer()
    levels = fields.List(
        fields.String(validate=validate.OneOf(LEVELS)),
        metadata={"description": "The weakest first; none where nobody plays against computer players."},
    )


class Ruleset(Answer):
    """A ruleset: a kind of game."""

    name = fields.String()
    revision = fields.Integer()
    title = fields.String()
    summary = fields.Dict(keys=fields.String(), values=fields.String())
    seats = fields.List(fields.Integer())
    languages = fields.List(fields.String())
    options = fields.List(fields.Nested(Option))
    computers = fields.List(fields.Nested(LevelsAtTable))


class Rulesets(Answer):
    """All rulesets."""

    items = fields.List(fields.Nested(Ruleset))


class GameListed(Answer):
    """A game in a list."""

    id = fields.UUID()
    ruleset = fields.String()
    status = fields.String(validate=validate.OneOf(STATUSES))
    name = fields.String(allow_none=True)
    host = fields.String(metadata={"description": "The name of the host."})
    access = fields.String(validate=validate.OneOf(ACCESS))
    seats = fields.Integer()
    seats_taken = fields.Integer()
    seat = fields.Integer(allow_none=True, metadata={"description": "One's own seat."})
    to_act = fields.Boolean(metadata={"description": "Whether one's own seat is awaited."})
    deadline = fields.DateTime(
        allow_none=True,
        metadata={"description": "That of one's own seat; null where it is not awaited, or no time runs."},
    )
    pace = pace_shown()
    created_at = fields.DateTime()


class GamesListed(Page):
    """A page of games; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(GameListed))


class Seated(Answer):
    """The seat just taken."""

    seat = fields.Integer()
