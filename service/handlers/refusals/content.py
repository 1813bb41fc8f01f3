"""Refusals of what a request asks for, and of all while the database is away: 412, 422 and 503."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from service.rules.kernel import Illegal
from service.shared.refusal import Refusal, json_pointer


class PreconditionFailed(Refusal):
    """What the request rests on, by `If-Match` or `If-None-Match`, is no longer so: somebody else has written since.
    Nothing was changed. The header ETag is that of now, and `current` is what GET answers now, if the token may read
    it.
    """

    code = "precondition-failed"
    status = 412
    title = "It has changed since"
    remedy = "Look at `current`, decide anew, and send the request with the ETag of now. What has no ETag takes none."
    cases = (None, "untagged")


class UnknownRuleset(Refusal):
    """The service has no game of this name."""

    code = "unknown-ruleset"
    status = 422
    title = "There is no such ruleset"
    remedy = "Choose a `name` from the list of rulesets."


class BadOption(Refusal):
    """The ruleset does not have this option, this value of it, or this number of seats; `errors` points at it."""

    code = "bad-option"
    status = 422
    title = "The ruleset does not offer this"
    remedy = "Choose from what the list of rulesets says of this one."

    def __init__(self, name: str) -> None:
        # `seats`, `access`, `pace`, `rated`, or the name of an option.
        place = (name,) if name in ("seats", "access", "pace", "computers", "rated") else ("options", name)
        detail = {"pace": "fault-solo", "rated": "fault-rated"}.get(name, "Not offered by the ruleset.")
        super().__init__(errors=[{"pointer": json_pointer(*place), "detail": detail}])
        self.name = name


class NoSuchLevel(Refusal):
    """Computer players have no such level in this game with so many players; `levels` are those that they have."""

    code = "no-such-level"
    status = 422
    title = "There is no computer player of this level"
    remedy = "Choose one of the levels that the ruleset has at a table of this size."

    def __init__(self, levels: Sequence[str]) -> None:
        super().__init__(levels=list(levels))
        self.levels = levels


class BadAddress(Refusal):
    """No message is sent to this address: `errors` says what is wrong with it. Only public addresses are called, over
    https, at port 443 or 8443.
    """

    code = "bad-address"
    status = 422
    title = "Nothing is sent to this address"
    remedy = "Give the webhook an address that everybody can reach."

    def __init__(self, why: str) -> None:
        super().__init__(errors=[{"pointer": "/url", "detail": why}])


class BadPause(Refusal):
    """A pause ends at least a minute and at most 30 days from now; `errors` points at the moment."""

    code = "bad-pause"
    status = 422
    title = "A pause cannot end at this moment"
    remedy = "Choose a moment within the next 30 days."

    def __init__(self) -> None:
        super().__init__(errors=[{"pointer": "/until", "detail": "Not within the next 30 days."}])


class BadChannel(Refusal):
    """No channel can be set up with what was given: `errors` says what is wrong with it. Only public addresses are
    called, over https, at port 443 or 8443.
    """

    code = "bad-channel"
    status = 422
    title = "This leads to no channel"
    remedy = "Give what the service has shown where you set up the webhook, the bot, the topic or the subscription."

    def __init__(self, field: str, why: str) -> None:
        super().__init__(errors=[{"pointer": json_pointer(field), "detail": why}])
        self.field = field


_ABSENCE_FAULTS = {
    "past": "In the past.",
    "far": "Too far ahead.",
    "backwards": "Before the first day.",
    "long": "Too many days in a row.",
    "many": "Too many days in twelve months.",
    "often": "Too many announced within a day.",
    "zone": "No such time zone.",
}


class BadAbsence(Refusal):
    """The absence cannot be as it was asked for: its first day lies in the `past` or too `far` ahead, its days are
    `backwards`, there would be more than 21 in a row (`long`) or more than 42 in twelve months (`many`), you have
    announced five within a day (`often`), or nobody knows the `zone`. `errors` points at it, and `most` is the limit.
    """

    code = "bad-absence"
    status = 422
    title = "The absence cannot be announced"
    remedy = "Choose days within the limits, and name the time zone as IANA does, such as `Europe/Berlin`."
    cases = ("past", "far", "backwards", "long", "many", "often", "zone")

    def __init__(self, case: str, place: str = "/until", most: int | None = None) -> None:
        super().__init__(case, most=most, errors=[{"pointer": place, "detail": _ABSENCE_FAULTS[case]}])


class KeyReused(Refusal):
    """The Idempotency-Key has already been used for a request with another body or another game."""

    code = "key-reused"
    status = 422
    title = "This Idempotency-Key was used for another request"
    remedy = "Make a new key for every new action, and repeat a key only with the very same request."


class UnreadableNotation(Refusal):
    """The text is no action in the notation of this game; `detail` quotes what was not understood, and so does
    `part`.
    """

    code = "unreadable-notation"
    status = 422
    title = "This is no action in the game's notation"
    remedy = "Use the `notation` of one of the legal actions, or send the action as JSON."

    def __init__(self, part: str) -> None:
        super().__init__(part=part)


OrderFault = Literal["nowhere", "condition", "value", "illegal", "unreadable", "auto-answer"]
"""Why an order makes no sense: it is about something that is not at the table; a condition points nowhere, or has a
value that no view could have; the rules never allow the action; it cannot be read; there is no such auto-answer."""


class BadOrder(Refusal):
    """An order could never be played at this table, or a condition of it names a place that the player's view does not
    have. `errors` points at each, and says why.
    """

    code = "bad-order"
    status = 422
    title = "An order makes no sense at this table"
    remedy = (
        "Correct what `errors` points at: compare the action with the rules of the game, and each pointer with `view` "
        "in the answer of `GET /games/{game_id}`."
    )

    def __init__(self, why: OrderFault, *place: str | int, illegal: Illegal | None = None) -> None:
        """`place` leads to the fault in what was sent; `illegal` says why the rules never allow the action."""
        super().__init__()
        self.why = why
        self.pointer = json_pointer(*map(str, place))
        self.illegal = illegal
