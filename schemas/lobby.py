"""Schemas of rulesets and their guides, open games, invitations, challenges and ready bots."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.answer import Answer, Page, PageLimit
from schemas.fields import LANGUAGE, SLUG, Cursor, Email, Flag, Number, Several, Text, Whole
from schemas.names import Name
from schemas.pace import NewPace, pace_shown
from schemas.play import LEVELS, STATUSES, SeatAtTable, computers_wanted
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


# Invitations: to an open game, and to a seat of a running one.


class NewInvitation(Schema):
    """An invitation to create: mailed to an address, or, without one, a link to pass on."""

    email = Email(allow_none=True)
    language = Text(
        least=2,
        most=2,
        pattern=LANGUAGE,
        metadata={"description": "That of the mail and of the link's page; the host's when absent."},
    )
    message = Text(
        most=200,
        metadata={
            "description": "A line of one's own, in the mail and on the link's page. Nothing in it can be followed."
        },
    )
    seat = Whole(
        least=0,
        most=15,
        metadata={
            "description": "The seat of a running game that is to be taken over, one of its `unattended`; absent for "
            "an open game."
        },
    )


class SeatedByInvitation(Seated):
    """The seat just taken, and its game."""

    game_id = fields.UUID()


class Invitation(Answer):
    """An invitation as the host of its game sees it."""

    id = fields.UUID()
    email = fields.String(allow_none=True)
    player = fields.String(allow_none=True, metadata={"description": "The name of the player asked for a rematch."})
    created_at = fields.DateTime()
    seat = fields.Integer(
        allow_none=True,
        metadata={"description": "The seat of a running game that is to be taken over; null for an open game."},
    )
    expires_at = fields.DateTime(
        metadata={"description": "It ends then, or when the game starts or is cancelled, or the seat is taken over."},
    )


class NewlyInvited(Invitation):
    """A new invitation; `url` is the link, which is shown only once, and null if it was mailed."""

    url = fields.String(allow_none=True)


class InvitationsGiven(Schema):
    """The invitations to a game to list."""

    after = Cursor()
    limit = PageLimit("invitations", usual=100)


class Invitations(Page):
    """A page of the invitations to a game; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(Invitation))


class InvitationOpened(Answer):
    """The table as the holder of an invitation's link sees it before taking a seat."""

    ruleset = fields.String()
    name = fields.String(allow_none=True, metadata={"description": "What the table is called."})
    host = fields.String(metadata={"description": "The name of the host."})
    seats = fields.List(fields.Nested(SeatAtTable))
    player = fields.String(
        allow_none=True, metadata={"description": "The only player who may accept; null for anybody."}
    )
    pace = pace_shown()
    seat = fields.Integer(
        allow_none=True,
        metadata={"description": "The seat of a running game that is to be taken over; null for an open game."},
    )
    expires_at = fields.DateTime()


class InvitationReceived(Answer):
    """An open game to which the player is invited."""

    game = fields.UUID()
    href = fields.String(metadata={"description": "Where the game is found."})
    ruleset = fields.String()
    name = fields.String(allow_none=True, metadata={"description": "What the table is called."})
    inviter = fields.String(metadata={"description": "The name of the player who asks."})
    seats = fields.Integer()
    seats_taken = fields.Integer()
    pace = pace_shown()
    created_at = fields.DateTime()
    expires_at = fields.DateTime()


class InvitationsReceived(Page):
    """A page of received invitations, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(InvitationReceived))


class InvitationsWanted(Schema):
    """A page of the invitations that the player has received."""

    after = Cursor()
    limit = PageLimit("invitations")


# Challenges, and the bots that are ready for them.

CHALLENGE_STATES = ("open", "accepted", "declined", "withdrawn", "expired")


class NewChallenge(NewGame):
    """A challenge to send: to whom, and to which game; its sender is the host and takes seat 0."""

    class Meta:
        """The game begins as soon as it is full."""

        exclude = ("start", "nonce")

    to = Text(
        least=HANDLE_MIN_LENGTH,
        most=HANDLE_MAX_LENGTH,
        pattern=HANDLE_PATTERN,
        required=True,
        metadata={"description": "The handle of a player or a bot."},
    )
    seats = Whole(least=2, most=16, required=True)


class ChallengesWanted(Schema):
    """The challenges to list."""

    state = fields.String(
        validate=validate.OneOf(CHALLENGE_STATES),
        metadata={"description": "Only challenges in this state; all when absent."},
    )
    after = Cursor()
    limit = PageLimit("challenges")


class Party(Answer):
    """A player of a challenge."""

    name = fields.String()
    handle = fields.String(allow_none=True)
    bot = fields.Boolean()


class Challenge(Answer):
    """A challenge, as its sender and its recipient see it."""

    id = fields.UUID()
    direction = fields.String(validate=validate.OneOf(("sent", "received")))
    state = fields.String(validate=validate.OneOf(CHALLENGE_STATES))
    sender = fields.Nested(Party)
    recipient = fields.Nested(Party)
    ruleset = fields.String()
    seats = fields.Integer()
    options = fields.Dict(keys=fields.String(), values=fields.Raw(allow_none=True))
    name = fields.String(allow_none=True, metadata={"description": "What the table is called."})
    access = fields.String(validate=validate.OneOf(ACCESS))
    spectators = fields.Boolean()
    on_resignation = fields.String()
    training = fields.Boolean(metadata={"description": "Whether the players may take hints."})
    pace = pace_shown()
    rated = fields.Boolean(metadata={"description": "Whether the game is rated, as in POST /games."})
    created_at = fields.DateTime()
    expires_at = fields.DateTime(metadata={"description": "It can be answered until then."})
    answered_at = fields.DateTime(
        allow_none=True, metadata={"description": "When it was accepted, declined or withdrawn."}
    )
    game = fields.UUID(allow_none=True, metadata={"description": "The game that was opened; null unless accepted."})


class ChallengesListed(Page):
    """A page of challenges; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(Challenge))


class NewReady(Schema):
    """The rulesets and table sizes that a bot offers."""

    rulesets = Several(
        Text(most=60, pattern=SLUG),
        required=True,
        validate=validate.Length(min=1, max=20),
        metadata={"description": "The rulesets that it plays."},
    )
    seats = Several(
        Whole(least=2, most=16),
        required=True,
        validate=validate.Length(min=1, max=15),
        metadata={"description": "The sizes of the tables at which it plays."},
    )


class Ready(Answer):
    """The rulesets and table sizes that a bot offers, and since when."""

    rulesets = fields.List(fields.String())
    seats = fields.List(fields.Integer())
    since = fields.DateTime()


class ReadyBot(Ready):
    """A bot that is ready to be challenged."""

    handle = fields.String(metadata={"description": "What a challenge is sent `to`."})
    name = fields.String()
    owner = fields.String(metadata={"description": "The name of the person whose bot it is."})


class BotsWanted(Schema):
    """The bots to list."""

    ruleset = Text(most=60, pattern=SLUG, metadata={"description": "Only bots that play this ruleset."})
    after = Cursor()
    limit = PageLimit("bots")


class ReadyBots(Page):
    """A page of bots; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(ReadyBot))


# The guide to the rules of a game.


class GuideWanted(Schema):
    """The language of the guide."""

    language = Text(
        least=2,
        most=2,
        pattern=LANGUAGE,
        metadata={"description": "Two letters; the game's first when absent, or when the game has not got it."},
    )


class GuidePicture(Answer):
    """A picture in the guide: a table, and what to notice there."""

    href = fields.String(metadata={"description": "Where it is found as SVG."})
    caption = fields.String(metadata={"description": "What is on it, for whoever does not see it."})
    text = fields.String(metadata={"description": "What is to be noticed there."})


class GuidePoint(Answer):
    """One of several things that a chapter explains one by one."""

    title = fields.String()
    text = fields.String()


class GuideChapter(Answer):
    """A chapter of the guide, in plain text."""

    name = fields.String(metadata={"description": "The same in every language."})
    title = fields.String()
    paragraphs = fields.List(fields.String())
    points = fields.List(fields.Nested(GuidePoint))
    pictures = fields.List(fields.Nested(GuidePicture))


class GuideTerm(Answer):
    """A word of the game, and the sentence that explains it."""

    name = fields.String(metadata={"description": "The same in every language."})
    word = fields.String()
    short = fields.String(
        allow_none=True,
        metadata={"description": "What is written for it where there is little room; null: the word itself."},
    )
    sentence = fields.String()


class Guide(Answer):
    """The guide to a game; the first paragraph of the first chapter says what the game is."""

    ruleset = fields.String()
    title = fields.String()
    language = fields.String()
    picture = fields.Nested(GuidePicture, metadata={"description": "The game at a glance."})
    chapters = fields.List(fields.Nested(GuideChapter))
    terms = fields.List(fields.Nested(GuideTerm), metadata={"description": "By the alphabet."})
    actions = fields.List(
        fields.String(), metadata={"description": "The names of the terms of what one does on a turn."}
    )
