"""What the players of a table are asked to agree to: pauses, and taking actions back; as the page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from service.handlers.take_back_request import REFUSALS, askable
from service.log.clocks import Clocks
from service.shared import clock
from service.store import events
from service.texts.catalog import say
from service.texts.when import instant_text
from service.views.agreement import pause_state, standing_request
from service.web.sitting import Sitting


@dataclass(frozen=True, slots=True)
class ShownRequest:
    """A request to take an action back; `own` if it is the viewer's, who then does not agree to it."""

    first: int
    own: bool
    may_agree: bool


@dataclass(frozen=True, slots=True)
class ShownAgreement:
    """What a player may propose, agree to, and end; `lines` say what is proposed, and who has to agree still.

    `agree_until` is the end of a pause that the player may agree to, and `ask` the decision that the action answered
    which the player may ask to have taken back.
    """

    lines: tuple[str, ...] = ()
    agree_until: str | None = None
    paused: bool = False
    may_propose: bool = False
    may_withdraw: bool = False
    request: ShownRequest | None = None
    ask: int | None = None

    @property
    def something(self) -> bool:
        """Whether there is anything that the players should see at once."""
        return bool(self.lines or self.paused or self.request)


def shown_agreement(sitting: Sitting, *, may_ask: bool) -> ShownAgreement | None:
    """Return what the viewer is shown; None in a game without a clock, and for those who look on.

    `may_ask` tells whether the viewer cannot take the last action back alone.
    """
    position, seat = sitting.position, sitting.seat
    clocks = position.clocks
    if clocks is None or seat is None:
        return None
    if position.game.status != "running" or seat in position.resigned:
        return ShownAgreement()
    now = clock.now()
    pause, asked = pause_state(position, now), standing_request(sitting.db, position, now)
    proposed = pause["proposed"]
    return ShownAgreement(
        lines=(*_pause_lines(sitting, proposed, now), *_request_lines(sitting, asked, now)),
        agree_until=proposed["until"] if proposed and seat in proposed["missing"] else None,
        paused=pause["paused"] is not None,
        may_propose=_may_propose(clocks, seat, proposed),
        may_withdraw=proposed is not None and proposed["seat"] == seat,
        request=None if asked is None else _request(asked, seat),
        ask=_ask(sitting, seat) if may_ask and asked is None else None,
    )


def _may_propose(clocks: Clocks, seat: int, proposed: Any) -> bool:
    return clocks.paused is None and proposed is None and seat not in clocks.absent


def _request(asked: dict[str, Any], seat: int) -> ShownRequest:
    return ShownRequest(asked["first"], asked["seat"] == seat, seat in asked["missing"])


def _ask(sitting: Sitting, seat: int) -> int | None:
    """Return the decision of the viewer's last action, if the others can be asked to have it taken back."""
    position = sitting.position
    log = events.read(sitting.db, position.codec, sitting.game, 0, position.version)
    try:
        return askable(position, log, seat).deed[0].decision
    except REFUSALS:
        return None


def _pause_lines(sitting: Sitting, proposed: dict[str, Any] | None, now: datetime) -> list[str]:
    if proposed is None:
        return []
    until = _until(sitting, proposed, now)
    headline = say(sitting.language, "pause-mail-proposed", name=sitting.named([proposed["seat"]]), until=until)
    return [headline, _missing(sitting, proposed)]


def _request_lines(sitting: Sitting, asked: dict[str, Any] | None, now: datetime) -> list[str]:
    if asked is None:
        return []
    headline = say(sitting.language, "take-back-mail", name=sitting.named([asked["seat"]]))
    explanation = say(sitting.language, "take-back-mail-what", until=_until(sitting, asked, now))
    return [f"{headline} {explanation}", _missing(sitting, asked)]


def _missing(sitting: Sitting, asked: dict[str, Any]) -> str:
    """Return who has to agree still, the reader first."""
    own = [say(sitting.language, "panel-you")] if sitting.seat in asked["missing"] else []
    others = (sitting.everybody[seat] for seat in asked["missing"] if seat != sitting.seat)
    return say(sitting.language, "pause-missing", names=", ".join([*own, *others]))


def _until(sitting: Sitting, asked: dict[str, Any], now: datetime) -> str:
    return instant_text(sitting.language, sitting.zone, datetime.fromisoformat(asked["until"]), now)
