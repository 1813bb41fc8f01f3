"""Refusals of what a game does not allow now, or not from this seat: 409."""

from __future__ import annotations

from typing import Literal, get_args

from service.log.recorded import Recorded
from service.shared.refusal import Refusal
from service.store.games import Position

Obstacle = Literal["started", "cancelled", "full", "taken", "seats-free", "empty", "own-seat", "many-invitations"]


class NotOpen(Refusal):
    """The game cannot be joined or started now: `reason` says whether it has been started, is full, has you in it
    already, or still has free seats.
    """

    code = "not-open"
    status = 409
    title = "The game does not take players in this way now"
    remedy = "Look at the game again, and then wait for the others, start it, or play."
    cases = get_args(Obstacle)

    def __init__(self, reason: Obstacle) -> None:
        super().__init__(reason, reason=reason)
        self.reason = reason


class AlreadyResigned(Refusal):
    """You gave the game up before. It has changed nothing to do so again."""

    code = "already-resigned"
    status = 409
    title = "You have given this game up already"
    remedy = "Look on, or ask for another game."


class NotRunning(Refusal):
    """The game has not begun, or is over; `game_status` says which."""

    code = "game-not-running"
    status = 409
    title = "The game is not being played"
    remedy = "Wait until the host starts it. When it is over, its standings say how it ended."
    cases = ("open", "finished", "cancelled")

    def __init__(self, status: str) -> None:
        super().__init__(status, game_status=status)


class NotOver(Refusal):
    """Until a game has been played to its end nobody can ask for another one with the same people, nor look at it
    through the eyes of others, or at what it shows only when all is open.
    """

    code = "game-not-over"
    status = 409
    title = "The game has not been played to its end"
    remedy = "Wait until its status is `finished`. A game that was called off is opened anew instead."
    cases = (None, "seat")


class NoRecord(Refusal):
    """Records are made from a hash chain that begins with a game, and this game began before there were any."""

    code = "no-record"
    status = 409
    title = "There is no record of this game"
    remedy = "Read its events instead. Every game that begins now has a record."


class StaleDecision(Refusal):
    """The action answers a decision that has been taken already, or that has not come yet. It has changed nothing."""

    code = "stale-decision"
    status = 409
    title = "The game has moved on"
    remedy = (
        "Read `since`, which is what has happened from that decision on, choose one of `legal_actions`, and send it "
        "with the `decision` of this answer."
    )

    def __init__(self, position: Position, since: list[Recorded], case: str | None = None) -> None:
        super().__init__(case)
        # Both hold hidden information: show them through the seat's views only.
        self.position = position
        self.since = since


class NotYourTurn(Refusal):
    """The decision is the current one, but not yours to take, or you have taken it already."""

    code = "not-your-turn"
    status = 409
    title = "It is not your turn"
    remedy = "Wait until your seat is in `to_act` of the game."

    def __init__(self, position: Position) -> None:
        super().__init__(decision=position.decision)
        self.position = position


class HintsNotAllowed(Refusal):
    """Hints are for training games, and for games alone against the automaton that are no day's deal."""

    code = "hints-not-allowed"
    status = 409
    title = "No hints in this game"
    remedy = "Open a game with one seat, or with `training`, to play with hints."


class OneTry(Refusal):
    """The game is a player's one try of a day's deal: nothing is taken back there. Until the day is over nobody plays
    on from it or has it analysed either, since others still play with the same cards.
    """

    code = "one-try"
    status = 409
    title = "The game is the one try of a day's deal"
    remedy = "Play on; or wait until the day of the deal is over, at midnight (UTC)."
    cases = ("take-back", "day-runs")


class DealNotTried(Refusal):
    """What others came to in the deal of a day that is not over is shown to those whose own try is over."""

    code = "deal-not-tried"
    status = 409
    title = "Your own try comes first"
    remedy = "Play the deal to its end: `POST /deals/today/games`. When its day is over, everybody sees the results."


class IllegalAction(Refusal):
    """The rules do not allow it. `detail` says why, in the `language` asked for if the game speaks it. `code` says it
    to a program, and `rule` is the number of the rule.
    """

    # Why an action is illegal, its ruleset says.
    code = "illegal-action"
    status = 409
    title = "The rules do not allow this"
    remedy = "Choose one of the legal actions; the list of them is always complete."
    cases = ()


class SeatAttended(Refusal):
    """A seat can be taken over while its player has resigned or is absent. This one has a player who is there: the
    player has come back, or another person has taken it over already.
    """

    code = "seat-attended"
    status = 409
    title = "The seat has a player who is there"
    remedy = "Look at the game again: `unattended` lists the seats that can be taken over now."

    def __init__(self) -> None:
        super().__init__(errors=[{"pointer": "/seat", "detail": "Its player is there."}])


class CannotTakeOver(Refusal):
    """Nobody holds two seats of one game, nor takes over a seat after looking at the game as another one. `reason` says
    whether you sit in the game (`seated`), have left a seat of it (`left`), have asked for a seat of it before the
    last request was answered (`asked`), or were declined (`declined`). A bot and its owner count as one.
    """

    code = "cannot-take-over"
    status = 409
    title = "You cannot take over a seat in this game"
    remedy = "Leave the seat to somebody who has not played in this game, or wait for the answer to your request."
    cases = ("seated", "left", "asked", "declined")

    def __init__(self, reason: Literal["seated", "left", "asked", "declined"]) -> None:
        super().__init__(reason, reason=reason)
        self.reason = reason


class SeatUnattended(Refusal):
    """Those who are there decide who takes a seat over. The service plays your seat: you have resigned, or have let
    your time lapse too often.
    """

    code = "seat-unattended"
    status = 409
    title = "The service plays your own seat"
    remedy = "If you are absent, act or say that you are back. If you have resigned, leave it to the others."
