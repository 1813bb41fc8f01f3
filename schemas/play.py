"""Schemas of a table in play: legal actions, events, talk, notes, hints, computer players, and streams."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from marshmallow import Schema, fields, validate

from schemas.answer import Answer, Page, PageLimit, optional
from schemas.fields import KEY, LANGUAGE, PROSE, Flag, Number, Several, Text, Whole
from schemas.pace import AGREED_SEATS, MISSING_SEATS, GameClock, pace_shown
from service.players import levels
from service.store.pruning import KEYS as KEPT

LEVELS: Final = tuple(each for each in levels.LEVELS if each != "random")
"""The levels that people can choose from; a game has some of them, `levels` of the ruleset says which."""
MAX_COMPUTERS: Final = 15
"""The most computer players at a table."""
_LEVEL: Final = "How well it plays: one of `levels` of the ruleset."


class NewComputer(Schema):
    """A computer player for a free seat."""

    level = fields.String(required=True, validate=validate.OneOf(LEVELS), metadata={"description": _LEVEL})


class SubstituteComputer(NewComputer):
    """A computer player for a seat whose player has resigned or is absent."""

    seat = Whole(least=0, required=True)


def computers_wanted() -> Several:
    """Return the field of the computer players with which a game is opened."""
    return Several(
        fields.String(validate=validate.OneOf(LEVELS)),
        validate=validate.Length(max=MAX_COMPUTERS),
        metadata={
            "description": "The levels of computer players who take the next seats. If they take all seats but one's "
            "own, the game begins at once, and has no clock when `pace` is absent."
        },
    )


def level_shown() -> fields.String:
    """Return the field of a seat that tells whether a computer player sits there."""
    return fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(LEVELS),
        metadata={"description": "The level of a computer player, which the service plays; null for anybody else."},
    )


# The table, actions, events and standings.

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
    """The request for a dry run."""

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
    """The answer that the viewer's seat can take back; null if there is none."""

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
    """The preview of an action; if not `complete`, further events depend on something hidden."""

    decision = fields.Integer()
    items = fields.List(fields.Nested(Foretold))
    complete = fields.Boolean()


class Played(Answer):
    """The events of an action, and the table after it."""

    version = fields.Integer()
    decision = fields.Integer()
    events = fields.List(fields.Nested(Happening))
    table = fields.Nested(Table)


class PlayedBy(Answer):
    """The holder of a seat, now or at the end of the game."""

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


class TakeBackAsked(Schema):
    """The decision that one's last action answered."""

    decision = Whole(least=0, required=True)


class TakeBackRequest(Answer):
    """A request of a seat to have its last action taken back, and with it all that was done since."""

    first = fields.Integer(
        metadata={"description": "The number of the action's first event, which names the request."},
    )
    seat = fields.Integer(metadata={"description": "The seat that asks."})
    decision = fields.Integer(metadata={"description": "The decision that the action answered."})
    asked_at = fields.DateTime()
    until = fields.DateTime(metadata={"description": "Until when the others can agree, if nobody acts before."})
    agreed = fields.List(fields.Integer(), metadata=AGREED_SEATS)
    missing = fields.List(fields.Integer(), metadata=MISSING_SEATS)


class TakeBackRequests(Answer):
    """The request that stands, if there is one."""

    items = fields.List(fields.Nested(TakeBackRequest))


# The legal actions of a seat: as a list, and as a tree of steps.


class Choice(Answer):
    """A legal action as JSON, in notation and in words, and its kind."""

    action = fields.Dict()
    notation = fields.String()
    kind = fields.String(metadata={"description": "What players call this kind of action."})
    text = fields.String()


class Settled(Answer):
    """A settled part of an action: a JSON pointer into it, and the value there."""

    pointer = fields.String()
    value = fields.Raw(allow_none=True)


class Way(Answer):
    """One value of the part to be chosen.

    A list whose members are still to be chosen has nulls in their place; an object lacks such members.
    """

    value = fields.Raw(allow_none=True)
    label = optional(fields.String(metadata={"description": "In words, where there are any."}))
    count = fields.Integer(metadata={"description": "How many legal actions lie this way."})
    follows = optional(
        fields.List(
            fields.Nested(Settled),
            metadata={"description": "The parts settled with this one, to be set in this order."},
        )
    )
    notation = optional(fields.String(metadata={"description": "That of the action, where only one is left."}))
    next = optional(
        fields.Nested(
            "Step", metadata={"description": "The next part to be chosen; absent when the action is complete."}
        )
    )


class Step(Answer):
    """The next part of an action to be chosen, and its possible values."""

    pointer = fields.String()
    options = fields.List(fields.Nested(Way))


class Choices(Answer):
    """The legal actions of the viewer's seat; none when it is not to act.

    In the compact form `items` is empty and `tree` leads to each action; else `tree` is null.
    """

    decision = fields.Integer(allow_none=True)
    count = fields.Integer(metadata={"description": "How many legal actions there are."})
    items = fields.List(fields.Nested(Choice))
    tree = fields.Nested(Step, allow_none=True)


# Hints.


class Hint(Answer):
    """A legal action that a computer player would choose from, and what speaks for it."""

    notation = fields.String(metadata={"description": "The action in the notation of the game."})
    text = fields.String()
    reasons = fields.List(fields.String())


class Hints(Answer):
    """Up to three hints for a decision, the best first; none where the computer player sees no difference."""

    decision = fields.Integer()
    items = fields.List(fields.Nested(Hint))


# Turns that wait for a player, stream tickets, talk, notes.

TURN_CURSOR = r"^[0-9]{1,17}-[0-9a-f]{32}$"


class TurnsWanted(Schema):
    """A page of the games that wait for the player."""

    after = Text(most=50, pattern=TURN_CURSOR, metadata={"description": "`next` of the page before."})
    limit = PageLimit("games")


class Opponent(Answer):
    """Another seat of the game."""

    seat = fields.Integer()
    name = fields.String()


class Turn(Answer):
    """A game in which a decision waits for the player."""

    game = fields.UUID()
    href = fields.String(metadata={"description": "Where the game is found."})
    name = fields.String(allow_none=True, metadata={"description": "What the table is called."})
    ruleset = fields.String()
    solo = fields.Boolean(metadata={"description": "Whether nobody else sits there."})
    seat = fields.Integer()
    decision = fields.Integer(metadata={"description": "What an action has to name."})
    since = fields.DateTime(metadata={"description": "When the decision began to wait."})
    deadline = fields.DateTime(allow_none=True, metadata={"description": "That of the seat; null where no time runs."})
    opponents = fields.List(fields.Nested(Opponent))


class Turns(Page):
    """A page of turns: the earliest deadline first, then those without one, the longest waiting first.

    Ask again with `after` = `next` unless that is null.
    """

    items = fields.List(fields.Nested(Turn))


class StreamTicket(Answer):
    """The address of a stream, which works once and without a token."""

    url = fields.String()
    expires_at = fields.DateTime(metadata={"description": "When it has to be opened by."})


class NewRemark(Schema):
    """A remark to post at the table."""

    text = Text(most=500, pattern=PROSE, required=True)


class TalkAfter(Schema):
    """A page of the talk."""

    after = Number(least=0, metadata={"description": "The number of the last remark already known; 0 when absent."})
    limit = PageLimit("remarks", usual=100)


class Remark(Answer):
    """A remark at a table."""

    number = fields.Integer()
    seat = fields.Integer()
    former = fields.Boolean(
        metadata={"description": "Whether a player has said it who has left the seat to another person."}
    )
    at = fields.DateTime()
    text = fields.String()


class Talk(Answer):
    """A page of the talk; ask again after the last `number`."""

    items = fields.List(fields.Nested(Remark))


class NewNotes(Schema):
    """The player's own notes, in full."""

    text = Text(least=0, most=10_000, pattern=PROSE, required=True)


class Notes(Answer):
    """The player's own notes on a game, which nobody else can read; `at` is null while there are none."""

    text = fields.String()
    at = fields.DateTime(allow_none=True)


# Streams: where to begin, where to go on after an interruption, and the messages.


class LastEvent(Schema):
    """The event after which an interrupted stream goes on."""

    after = Number(
        least=0,
        data_key="Last-Event-ID",
        metadata={"description": "The id of the last event received; it goes before `after`."},
    )


class StreamAfter(InLanguage):
    """The event after which a stream begins."""

    after = Number(least=0, metadata={"description": "The number of the last event already known; 0 when absent."})


class StreamWanted(StreamAfter):
    """The start of a stream, and the choice to hear of changes that are no events."""

    beside_log = Text(
        most=32,
        least=0,
        pattern="^[0-9a-f]*$",
        metadata={
            "description": "When given, also tell when something changes that the players see beside the events: a "
            "request to take an action back, automatic answers, requests for seats, and absences in a game without a "
            "clock. Such a message has the type `changed` and a new `beside_log`, to be given when one connects again; "
            "empty at first. Only who has a seat is told."
        },
    )


class EventsAfter(StreamAfter):
    """A page of a game's events."""

    wait = Number(
        least=0,
        most=25,
        metadata={"description": "The most seconds to wait for an event beyond `after`; 0 when absent."},
    )
    limit = PageLimit("events", most=500, usual=100)


class LastMessage(Schema):
    """The message after which an interrupted stream of an account goes on."""

    since = Text(
        most=15,
        pattern="^[0-9]{1,15}$",
        data_key="Last-Event-ID",
        metadata={"description": "The id of the last message received; it goes before `after`."},
    )


class AccountStreamWanted(Schema):
    """The start and duration of a stream of an account."""

    after = Text(
        most=15, pattern="^[0-9]{1,15}$", metadata={"description": "The id of the last message already received."}
    )
    seconds = Number(
        least=0,
        most=300,
        metadata={
            "description": "For how many seconds the stream goes on; 300 when absent. With 0 it tells what there is, "
            "and closes: for bots that look in now and then."
        },
    )


class StreamChanged(Answer):
    """The data of a message of the type `changed`: something beside the events is new."""

    beside_log = fields.String(metadata={"description": "To be given when one connects again."})


class StreamEnd(Answer):
    """The data of a message of the type `end`, the last one: the game is over."""


class AccountMessage(Answer):
    """The data of a message of the stream of an account; clients have to accept types that they do not know."""

    type = fields.String()
    game = optional(fields.UUID(allow_none=True))
    challenge = optional(fields.UUID())
    ruleset = optional(fields.String())
    seat = optional(fields.Integer(validate=validate.Range(min=0)))
    decision = optional(fields.Integer(validate=validate.Range(min=0)))
    since = optional(fields.DateTime())
    deadline = optional(fields.DateTime(allow_none=True))
    status = optional(fields.String())
