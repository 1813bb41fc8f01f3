"""Schemas of a game in play: the table, what is asked and done there, events, standings."""

from __future__ import annotations

from datetime import timedelta

from marshmallow import Schema, fields, validate

from schemas.answer import Answer
from schemas.computers import level_shown
from schemas.fields import KEY, LANGUAGE, Flag, Text, Whole
from schemas.pace import GameClock, pace_shown
from service.store.pruning import KEYS as KEPT

STATUSES = ("open", "running", "finished", "cancelled")


class Idempotency(Schema):
    """The header that makes a POST idempotent."""

    key = Text(
        least=8,
        most=64,
        pattern=KEY,
        data_key="Idempotency-Key",
        metadata={
            "description": "The same key with the same body gets the same answer, and is carried out once; so for at "
            f"least {KEPT / timedelta(hours=1):g} hours."
        },
    )


class Acting(Idempotency):
    """The headers of a request to act."""

    prefer = Text(
        least=0,
        most=200,
        pattern=r"[\t -~]*",
        data_key="Prefer",
        metadata={
            "description": "`return=minimal` (RFC 7240): in the answer to an accepted action `events` is empty and the "
            "`view` of the table null, which takes the service less time. All else is there, and refusals and dry runs "
            "are answered as usual. Other preferences are ignored."
        },
    )


class InLanguage(Schema):
    """The language of the texts in the answer."""

    language = Text(
        least=2,
        most=2,
        pattern=LANGUAGE,
        metadata={"description": "Two letters; the player's own when absent, the game's first when it has not got it."},
    )


class ChoicesWanted(InLanguage):
    """The form of the list of legal actions."""

    form = fields.String(
        validate=validate.OneOf(("flat", "compact")),
        metadata={"description": "flat: all of them, one by one; compact: step by step, in `tree`. flat when absent."},
    )


class Rehearsal(Schema):
    """Whether the request is a dry run."""

    dry_run = fields.String(
        validate=validate.Equal("true"),
        metadata={"description": "Nothing is played; the answer tells, with 200, what the action would cause."},
    )


class Resignation(Schema):
    """The confirmation of a resignation."""

    confirm = Flag(required=True, validate=validate.Equal(True))


class GivenTime(Schema):
    """The seat that is given time."""

    seat = Whole(least=0, required=True)


class TakenBack(Schema):
    """The decision whose answer is to be taken back."""

    decision = Whole(least=0, required=True)


class Retractable(Answer):
    """What the viewer's seat can take back; null if there is nothing."""

    decision = fields.Integer(allow_none=True, metadata={"description": "The decision whose answer it is."})
    until = fields.DateTime(allow_none=True, metadata={"description": "When it is too late, even if nobody has acted."})


class SeatAtTable(Answer):
    """A seat; `name` is null while it is free."""

    seat = fields.Integer()
    name = fields.String(allow_none=True)


class TakenSeat(SeatAtTable):
    """A seat with its player; `owner` is the name of the player whose bot it is."""

    bot = fields.Boolean()
    owner = fields.String(allow_none=True)
    computer = level_shown()
    reachable = fields.Boolean(
        metadata={
            "description": "false where mails to the player come back, or are not sent yet, so that they may be late."
        },
    )
    unconfirmed = fields.Boolean(
        metadata={"description": "true where no mails go to the player, because the address is not confirmed yet."},
    )
    auto_answers = fields.List(
        fields.String(),
        metadata={"description": "The kinds of decisions that are answered for the player, by their names."},
    )


class Forked(Answer):
    """The moment of another game after its event `seq`."""

    game = fields.UUID()
    seq = fields.Integer()


class SeatHandedOver(Answer):
    """A seat that another person has taken over, with the event `seq`."""

    seat = fields.Integer()
    seq = fields.Integer()


class Table(Answer):
    """A game as one viewer may see it; `view` and `outcome` are the game's own."""

    id = fields.UUID()
    ruleset = fields.String()
    status = fields.String(validate=validate.OneOf(STATUSES))
    options = fields.Dict()
    origin = fields.String(metadata={"description": "`import` where only its record was brought here."})
    forked_from = fields.Nested(
        Forked, allow_none=True, metadata={"description": "Where it goes on from; null in most games."}
    )
    name = fields.String(allow_none=True, metadata={"description": "What the table is called."})
    access = fields.String(metadata={"description": "public or invitation"})
    spectators = fields.Boolean()
    start = fields.String(metadata={"description": "host or full: who or what starts the game"})
    on_resignation = fields.String(metadata={"description": "play-on or end"})
    training = fields.Boolean(metadata={"description": "Whether the players may take hints."})
    pace = pace_shown()
    rated = fields.Boolean(metadata={"description": "Whether it is rated, as in POST /games."})
    clock = fields.Nested(
        GameClock,
        allow_none=True,
        metadata={"description": "The clocks of the seats; null without a pace, and before the game starts."},
    )
    host = fields.Integer(allow_none=True, metadata={"description": "The seat of the host."})
    seats = fields.List(fields.Nested(TakenSeat))
    automaton = fields.Nested(
        SeatAtTable, allow_none=True, metadata={"description": "The opponent that the service plays."}
    )
    seat = fields.Integer(allow_none=True, metadata={"description": "The viewer's seat."})
    version = fields.Integer(metadata={"description": "The number of the last event."})
    decision = fields.Integer(allow_none=True, metadata={"description": "What an action has to name."})
    to_act = fields.List(fields.Integer())
    view = fields.Dict(
        allow_none=True,
        metadata={"description": "null before the game starts, and where the request preferred a minimal answer."},
    )
    outcome = fields.Dict(allow_none=True)
    resigned = fields.List(fields.Integer(), metadata={"description": "The seats whose players have given up."})
    unattended = fields.List(
        fields.Integer(),
        metadata={
            "description": "The seats that another person can take over: their players have resigned or are absent."
        },
    )
    handed_over = fields.List(
        fields.Nested(SeatHandedOver),
        metadata={"description": "The seats that other persons have taken over, in the order in which they did."},
    )


class Happening(Answer):
    """An event as one viewer may know it; clients have to accept types that they do not know."""

    seq = fields.Integer()
    type = fields.String()
    at = fields.DateTime()
    actor = fields.Integer(
        allow_none=True,
        metadata={"description": "The seat that caused it; null where no player or automaton did."},
    )
    door = fields.String(
        metadata={
            "description": "How its cause came in: `api`, `web`, `link`, `reply`, `order`, `timeout` or `worker`. "
            "While the game runs it is `hidden` but for the player who caused the event."
        },
    )
    decision = fields.Integer()
    data = fields.Dict()
    text = fields.String()


class Happenings(Answer):
    """A page of events; ask again after the last `seq`."""

    version = fields.Integer()
    items = fields.List(fields.Nested(Happening))


class Foretold(Answer):
    """An event that would happen; null stands for what the seat cannot know before it acts."""

    type = fields.String()
    data = fields.Dict()
    text = fields.String(allow_none=True)


class Forecast(Answer):
    """What an action would cause; if not `complete`, further events depend on something hidden."""

    decision = fields.Integer()
    items = fields.List(fields.Nested(Foretold))
    complete = fields.Boolean()


class Played(Answer):
    """What an action has caused, and the table after it."""

    version = fields.Integer()
    decision = fields.Integer()
    events = fields.List(fields.Nested(Happening))
    table = fields.Nested(Table)


class PlayedBy(Answer):
    """Who plays a seat, or has played it at the end of the game."""

    seat = fields.Integer()
    by = fields.String(
        metadata={
            "description": "`player`: who has sat there from the beginning; `substitute`: a person who took the seat "
            "over; `stand-in`: the service, for a player who has resigned or is absent. It may be among the winners."
        },
    )
    handed_over = fields.List(
        fields.Integer(),
        metadata={"description": "The numbers of the events with which other persons took the seat over."},
    )


class Standings(Answer):
    """The scores as if the game ended now, with their derivation, as far as the viewer may know."""

    version = fields.Integer()
    outcome = fields.Dict(allow_none=True)
    standings = fields.Dict()
    played_by = fields.List(fields.Nested(PlayedBy))
