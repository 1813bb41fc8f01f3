"""Refusals to take an action back, and to pause a game: 409."""

from __future__ import annotations

from typing import Literal

from service.shared.refusal import Refusal


class NothingToTakeBack(Refusal):
    """You have played nothing in answer to this decision, or have taken it back already."""

    code = "nothing-to-take-back"
    status = 409
    title = "There is nothing to take back"
    remedy = (
        "Send the `decision` that the action answered: `GET /games/{id}/take-back` shows which one can be taken back."
    )


class TooLateToTakeBack(Refusal):
    """An action can be taken back for a short time, and only until somebody acts. `reason` says why it is too late:
    `time`, `acted` when somebody has acted, `deadline` when the time of a player who would have to act again is up, or
    `player-lost` when since then a player has given up, a seat was handed over, or the time of one has lapsed.
    """

    code = "too-late-to-take-back"
    status = 409
    title = "It is too late to take this back"
    remedy = "Play on. The action counts. After `acted` and `time` the other players can be asked for their consent."
    cases = ("acted", "time", "deadline", "player-lost")

    def __init__(self, reason: Literal["acted", "time", "deadline", "player-lost"]) -> None:
        super().__init__(reason, reason=reason)
        self.reason = reason


class CannotBeTakenBack(Refusal):
    """The action has drawn a card, rolled dice, or shown something that one could not know before it."""

    code = "cannot-be-taken-back"
    status = 409
    title = "The action has shown something"
    remedy = "Play on. The action counts. A dry run tells beforehand what is not known yet: its `data` is null there."


class TakeBackNotOffered(Refusal):
    """The other players cannot be asked for consent to take an action back. `reason` says why: the game has `no-clock`,
    its terms do not allow it (`switched-off`), there is `nobody` to ask, or somebody else has `asked` already.
    """

    code = "take-back-not-offered"
    status = 409
    title = "The others cannot be asked to have an action taken back"
    remedy = "Play on. The action counts. Where somebody else has asked, wait until that is settled."
    cases = ("no-clock", "switched-off", "nobody", "asked")

    def __init__(self, reason: Literal["no-clock", "switched-off", "nobody", "asked"]) -> None:
        super().__init__(reason, reason=reason)


class TakeBackOver(Refusal):
    """There is no such request any more: somebody has acted since, has declined it, or its time was over."""

    code = "take-back-over"
    status = 409
    title = "The request to take an action back is over"
    remedy = "Play on. `GET /games/{id}/take-back-requests` lists the request that stands, if there is one."


class CannotPause(Refusal):
    """The game cannot be paused. `reason` says why: it has `no-clock`, it is `paused` already, or your seat is
    `absent`, and the service plays it.
    """

    code = "cannot-pause"
    status = 409
    title = "The game cannot be paused"
    remedy = "A game without a clock needs no pause. From an absent seat, play or say that you are back first."
    cases = ("no-clock", "paused", "absent")

    def __init__(self, reason: Literal["no-clock", "paused", "absent"]) -> None:
        super().__init__(reason, reason=reason)


class NoPause(Refusal):
    """There is nothing to agree to, or to end: nobody proposes such a pause (`not-proposed`), or the game is not paused
    (`not-paused`), as `reason` says.
    """

    code = "no-pause"
    status = 409
    title = "There is no such pause"
    remedy = "Look at `GET /games/{id}/pause` again."
    cases = ("not-proposed", "not-paused")

    def __init__(self, reason: Literal["not-proposed", "not-paused"]) -> None:
        super().__init__(reason, reason=reason)
