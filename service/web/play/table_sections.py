"""Sections of the page of a table beside board and log: take-back, hints, orders, agreement, vacancies, absence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Final
from urllib.parse import urlencode

from flask import request

from service.handlers.pace import can_give_time, is_absent
from service.handlers.play import hints_at, may_take_hints, was_taken
from service.handlers.refusals import CannotTakeOver
from service.handlers.substitutes import may_invite, require_stranger
from service.handlers.take_back import REQUEST_REFUSALS, can_ask_to_take_back, last_undoable
from service.log.clocks import Clocks
from service.log.recorded import Recorded
from service.players.levels import Level, levels_for
from service.shared import clock
from service.store import events
from service.texts.catalog import say
from service.texts.when import instant_text
from service.views.orders import dropped_now, orders_of
from service.views.pace import FormerPlayer, former_players, pause_state, seat_requests, standing_request
from service.views.table import View, described_hint, hint_reasons
from service.web.page import current_runtime
from service.web.play.position_cache import PositionCache
from service.web.session import Visitor
from service.web.viewer_context import ViewerContext


@dataclass(frozen=True, slots=True)
class Retractable:
    """Decision whose answer can be taken back, and the seconds left to do so."""

    decision: int
    seconds: int

    @property
    def minutes(self) -> int:
        """Return the time left in minutes, rounded up."""
        return max(1, ceil(self.seconds / 60))


def retractable(context: ViewerContext, cache: PositionCache, acted_at: datetime | None) -> Retractable | None:
    """Return the viewer's action that can be taken back; `acted_at` is the time of the viewer's last action."""
    now, seat = clock.now(), context.seat
    if seat is None or acted_at is None or now - acted_at > take_back_window():
        return None

    def judged() -> Recorded | None:
        return last_undoable(context.db, context.position, seat, take_back_window(), now)

    # A deadline that has passed since ends the right, too, so a game with a clock is not cached.
    first = cache.keep("undoable", judged) if context.position.clocks is None else judged()
    if first is None or first.decision is None:
        return None
    return Retractable(first.decision, seconds_left(first.at, now))


def take_back_window() -> timedelta:
    """Return the time during which an action can be taken back."""
    return timedelta(seconds=current_runtime().settings.take_back_seconds)


def seconds_left(at: datetime, now: datetime) -> int:
    return ceil((at + take_back_window() - now).total_seconds())


# Hints: moves as links to their previews.


@dataclass(frozen=True, slots=True)
class ShownHint:
    """Move as a link to its preview, with its reasons."""

    href: str
    text: str
    reasons: str


@dataclass(frozen=True, slots=True)
class ShownHints:
    """Hints; `found` is None until the reader has asked for a hint."""

    found: list[ShownHint] | None


def shown_hints(context: ViewerContext) -> ShownHints | None:
    """Return the hints for the awaited reader; None if there are none.

    Hints are shown once counted, to an address that asks for them.
    """
    position, seat = context.position, context.seat
    if seat is None or not context.awaited or not may_take_hints(position):
        return None
    if "hint" not in request.args or not was_taken(context.db, position, seat):
        return ShownHints(None)
    ruleset, language, names = position.ruleset, context.rules_language, context.names
    others = [name for at, name in enumerate(context.everybody) if at != seat]
    return ShownHints(
        [
            ShownHint(
                f"?{urlencode({'decision': position.decision, 'notation': ruleset.notate(each.action)})}#act",
                described_hint(ruleset, each, seat, language, names),
                ", ".join(hint_reasons(ruleset, position.game.seats, each, language, others)),
            )
            for each in hints_at(position, seat)
        ]
    )


# Orders, and decisions answered automatically.


@dataclass(frozen=True, slots=True)
class OwnOrders:
    """Viewer's waiting orders (as views.orders has them), and the reasons for orders dropped at this decision."""

    waiting: Sequence[View] = ()
    dropped: Sequence[str] = ()


NO_ORDERS: Final = OwnOrders()


def own_orders(context: ViewerContext) -> OwnOrders:
    """Return the viewer's orders; none without a seat."""
    position, seat, language = context.position, context.seat, context.language
    if seat is None:
        return NO_ORDERS
    waiting = orders_of(context.db, position, seat, language)["orders"]
    return OwnOrders(waiting, dropped_now(context.db, position, seat, language) if context.awaited else ())


def answered_for(context: ViewerContext) -> list[tuple[str, str]]:
    """Return the players with auto-answers, and their kinds: everybody sees these (T-34)."""
    position, language = context.position, context.rules_language
    if position.game.status != "running":
        return []
    offered = {each.name: each.describe[language] for each in position.ruleset.auto_answers}
    return [
        (context.named([row.seat]), ", ".join(offered[name] for name in row.auto_answers if name in offered))
        for row in position.seats
        if row.auto_answers and row.seat not in position.resigned
    ]


# Agreement: pauses, and actions taken back by consent.


@dataclass(frozen=True, slots=True)
class ShownRequest:
    """Request to take back an action; `own` if it is the viewer's, who then does not agree to it."""

    first: int
    own: bool
    may_agree: bool


@dataclass(frozen=True, slots=True)
class ShownAgreement:
    """Proposals and requests that the viewer may make, agree to, and end; `lines` describe them, and who must agree.

    `agree_until` is the end of a pause that the player may agree to. `ask` is the decision whose answer the player may
    ask to take back.
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
        """Return whether the players should see the section at once."""
        return bool(self.lines or self.paused or self.request)


def shown_agreement(context: ViewerContext, *, may_ask: bool) -> ShownAgreement | None:
    """Return the agreement section for the viewer; None in a game without a clock, and for spectators.

    `may_ask` is true if the viewer cannot take back the last action alone.
    """
    position, seat = context.position, context.seat
    clocks = position.clocks
    if clocks is None or seat is None:
        return None
    if position.game.status != "running" or seat in position.resigned:
        return ShownAgreement()
    now = clock.now()
    pause, asked = pause_state(position, now), standing_request(context.db, position, now)
    proposed = pause["proposed"]
    return ShownAgreement(
        lines=(*_pause_lines(context, proposed, now), *_request_lines(context, asked, now)),
        agree_until=proposed["until"] if proposed and seat in proposed["missing"] else None,
        paused=pause["paused"] is not None,
        may_propose=_may_propose(clocks, seat, proposed),
        may_withdraw=proposed is not None and proposed["seat"] == seat,
        request=None if asked is None else _request(asked, seat),
        ask=_ask(context, seat) if may_ask and asked is None else None,
    )


def _may_propose(clocks: Clocks, seat: int, proposed: Any) -> bool:
    return clocks.paused is None and proposed is None and seat not in clocks.absent


def _request(asked: dict[str, Any], seat: int) -> ShownRequest:
    return ShownRequest(asked["first"], asked["seat"] == seat, seat in asked["missing"])


def _ask(context: ViewerContext, seat: int) -> int | None:
    """Return the decision of the viewer's last action, if its take-back can be requested; else None."""
    position = context.position
    log = events.read(context.db, position.codec, context.game, 0, position.version)
    try:
        return can_ask_to_take_back(position, log, seat).deed[0].decision
    except REQUEST_REFUSALS:
        return None


def _pause_lines(context: ViewerContext, proposed: dict[str, Any] | None, now: datetime) -> list[str]:
    if proposed is None:
        return []
    until = _until(context, proposed, now)
    headline = say(context.language, "pause-mail-proposed", name=context.named([proposed["seat"]]), until=until)
    return [headline, _missing(context, proposed)]


def _request_lines(context: ViewerContext, asked: dict[str, Any] | None, now: datetime) -> list[str]:
    if asked is None:
        return []
    headline = say(context.language, "take-back-mail", name=context.named([asked["seat"]]))
    explanation = say(context.language, "take-back-mail-what", until=_until(context, asked, now))
    return [f"{headline} {explanation}", _missing(context, asked)]


def _missing(context: ViewerContext, asked: dict[str, Any]) -> str:
    """Return the players who have not agreed yet, the reader first."""
    own = [say(context.language, "panel-you")] if context.seat in asked["missing"] else []
    others = (context.everybody[seat] for seat in asked["missing"] if seat != context.seat)
    return say(context.language, "pause-missing", names=", ".join([*own, *others]))


def _until(context: ViewerContext, asked: dict[str, Any], now: datetime) -> str:
    return instant_text(context.language, context.zone, datetime.fromisoformat(asked["until"]), now)


# Vacancies: seats that another person can take over.


@dataclass(frozen=True, slots=True)
class Vacancies:
    """Seats to take over, with their players' names, and the viewer's options.

    `requests` are the open requests that the viewer may know, as `service.views.pace.requests` has them.
    """

    seats: Sequence[tuple[int, str]]
    former: Sequence[FormerPlayer]
    requests: Sequence[dict[str, Any]]
    inviting: bool
    asking: bool
    answering: bool
    levels: Sequence[Level] = ()

    def __bool__(self) -> bool:
        return bool(self.seats or self.former)


def vacancies(context: ViewerContext, visitor: Visitor | None) -> Vacancies:
    """Return the vacancies of a game for its viewer; a game without any costs no statement."""
    position = context.position
    names = context.names
    seats = [(seat, names[seat]) for seat in sorted(position.unattended)]
    former = former_players(context.db, position, context.language)
    if not seats or visitor is None:
        return Vacancies(seats, former, (), inviting=False, asking=False, answering=False)
    found = seat_requests(context.db, position, visitor.browser.player)
    inviting = may_invite(position, visitor.id)
    return Vacancies(
        seats,
        former,
        found,
        inviting=inviting,
        asking=context.seat is None and not found and _is_stranger(context, visitor),
        answering=context.seat is not None and context.seat not in position.unattended,
        levels=levels_for(position.ruleset, position.game.seats) if inviting else (),
    )


def _is_stranger(context: ViewerContext, visitor: Visitor) -> bool:
    try:
        require_stranger(context.db, context.position, visitor.id, min(context.position.unattended))
    except CannotTakeOver:
        return False
    return True


# Absence.


def presence_side(context: ViewerContext) -> dict[str, Any]:
    """Return the absent seats, whether the viewer's is absent, and the seats to which the viewer can give time."""
    position, seat = context.position, context.seat
    absent = [each for each in range(position.game.seats) if is_absent(position, each)]
    givable = [] if seat is None else can_give_time(context.db, position, seat)
    return {"absent": absent, "own_absent": seat in absent, "givable": givable}
