"""Action picked by the query of a page: for the current decision, or for a later turn (an order)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlencode

from flask import request

from service.rules.kernel import Illegal, Unreadable
from service.rules.order_conditions import conditions_of
from service.rules.table_parts import Choice, Choices, Kind, NoSuchChoice, Picks, Preview
from service.rules.tabletop.choices import KIND
from service.rules.tabletop.table import Table
from service.store.games import Position
from service.texts.catalog import say
from service.views.action_picker import NoSuchStep, Path, PickStep, next_step
from service.web.play.position_cache import PositionCache
from service.web.viewer_context import ViewerContext

MAX_NOTATION_LENGTH = 500
_MAX_STEPS = 30


@dataclass(frozen=True, slots=True)
class PickedOrder:
    """Action picked for a later turn: its sentence and its notation."""

    text: str
    notation: str


@dataclass(frozen=True, slots=True)
class OrderPicking:
    """State of picking an order: the current step or the picked action, and the reason if the address was refused."""

    step: PickStep | None = None
    planned: PickedOrder | None = None
    refusal: str | None = None

    @property
    def begun(self) -> bool:
        """Return whether the player has picked anything yet."""
        return bool(self.planned or self.refusal or (self.step and self.step.path))


def pick_order(context: ViewerContext, cache: PositionCache) -> OrderPicking | None:
    """Return the step (`pick` of the query) or the action (`notation`); None if the viewer has no later turn."""
    position, seat = context.position, context.seat
    if context.awaited or seat is None or position.game.status != "running" or seat in position.resigned:
        return None
    offered, first = cache.keep("planning", lambda: _offered(context, seat))
    if request.args.get("decision", position.decision, type=int) != position.decision:
        return OrderPicking(first, refusal=say(context.language, "at-stale"))
    try:
        if "notation" in request.args:
            return OrderPicking(planned=_picked_order(context, seat, read_notation(position, request.args["notation"])))
        path = _path(request.args.get("pick", ""))
        reached = next_step(position, seat, path, context.rules_language, offered) if offered and path else first
    except NoSuchStep:
        return OrderPicking(first, refusal=say(context.language, "at-lost-way"))
    except (Illegal, Unreadable) as refusal:
        return OrderPicking(first, refusal=explain_refusal(context, refusal))
    action = None if reached is None else reached.action
    return OrderPicking(reached, None if action is None else _picked_order(context, seat, action))


def _offered(context: ViewerContext, seat: int) -> tuple[Sequence[Any], PickStep | None]:
    """Return the actions that a later turn may allow, and the first step among them."""
    position, ahead = context.position, context.position.ruleset.ahead
    offered = () if ahead is None else ahead(position.state, seat)
    return offered, next_step(position, seat, (), context.rules_language, offered) if offered else None


def read_notation(position: Position, notation: str) -> Any:
    """Return the action of a notation; Unreadable."""
    if len(notation) > MAX_NOTATION_LENGTH:
        raise Unreadable(f"{notation[:40]} ...")
    return position.ruleset.parse(notation)


def explain_refusal(context: ViewerContext, refusal: Illegal | Unreadable) -> str:
    """Return the sentence that says why an action cannot be played."""
    if isinstance(refusal, Unreadable):
        return say(context.language, "unreadable", part=refusal)
    return say(context.language, "illegal", reason=context.described(refusal))


def _picked_order(context: ViewerContext, seat: int, action: Any) -> PickedOrder:
    ruleset = context.position.ruleset
    # Raises Illegal for an action that no turn could allow.
    conditions_of(ruleset, context.view, seat, action)
    return PickedOrder(context.described(action), ruleset.notate(action))


def _path(text: str) -> Path:
    steps = text.split(".") if text else []
    if len(steps) > _MAX_STEPS or not all(each.isascii() and each.isdigit() and len(each) < 5 for each in steps):
        raise NoSuchStep(text)
    return tuple(map(int, steps))


def confirms_reveals(position: Position, seat: int) -> bool:
    """Return whether the seat's player confirms an action that reveals something hidden.

    Never so without other people at the table: a reveal then helps nobody else.
    """
    people = any(row.computer is None for row in position.seats if row.seat != seat)
    return people and position.seats[seat].asked_twice


# Actions for the current decision.

_OTHER_PARAMETERS: Final = frozenset(
    {"decision", "notation", "asked", "pick", "moves", "language", "have", "beside", "open"}
)
"""Parameters of the address that are no picks."""
_MAX_PICKS: Final = 30


@dataclass(frozen=True)
class Picking:
    """Possible next picks, and the preview of the action that is picked.

    `confirming` is true once the button of a revealing action was pressed; it has to be pressed again. `page` is the
    path of the links; if empty, the links go to the current page.
    """

    decision: int
    kinds: tuple[Kind, ...] = ()
    choices: Choices = field(default_factory=lambda: Choices(ask="", choices=()))
    picks: Picks = field(default_factory=dict)
    preview: Preview | None = None
    notation: str = ""
    refusal: str | None = None
    confirming: bool = False
    page: str = ""

    @property
    def reveals(self) -> bool:
        """Return whether the picked action reveals something hidden."""
        return self.preview is not None and self.preview.reveals

    @property
    def kind(self) -> str | None:
        """Return the picked kind of action."""
        return self.picks.get(KIND)

    def link(self, picks: Picks) -> str:
        """Return the address that has these picks."""
        return f"{self.page}?{urlencode({'decision': self.decision, **picks})}#act"

    @cached_property
    def targets(self) -> Mapping[str, Choice]:
        """Choices by place: the part that is asked wins over other parts of the same place."""
        found: dict[str, Choice] = {}
        for part in self._parts():
            for choice in self.choices.choices:
                if choice.part == part and choice.place is not None:
                    found.setdefault(choice.place, choice)
        return found

    def _parts(self) -> list[str]:
        """Return the parts of the choices in order; unanswered parts come first."""
        order = list(dict.fromkeys(choice.part for choice in self.choices.choices))
        settled = {choice.part for choice in self.choices.choices if choice.chosen}
        return [part for part in order if part not in settled] + [part for part in order if part in settled]


def pick_action(context: ViewerContext, table: Table) -> Picking | None:
    """Return the picks of the query, or no picks with a refusal; None if the viewer is not awaited."""
    if not context.awaited:
        return None
    decision = context.position.decision
    if request.args.get("decision", decision, type=int) != decision:
        return begun(context, table, say(context.language, "at-stale"))
    try:
        return picked_in_query(context, table)
    except NoSuchChoice:
        return begun(context, table, say(context.language, "at-lost-way"))
    except (Illegal, Unreadable) as refusal:
        return begun(context, table, explain_refusal(context, refusal))


def picked_in_query(context: ViewerContext, table: Table, page: str = "") -> Picking:
    """Return the picks of the query, or the action of its `notation`; NoSuchChoice, Illegal, Unreadable."""
    if "notation" in request.args:
        action = read_notation(context.position, request.args["notation"])
        return picked(context, table, page, action=action, asked="asked" in request.args)
    picks = {part: value for part, value in request.args.items() if part not in _OTHER_PARAMETERS}
    if KIND not in picks:
        picks = {}
    if len(picks) > _MAX_PICKS:
        raise NoSuchChoice(picks)
    choices = table.choices(picks)
    found = _with_preview(context, table, choices, picks, choices.action)
    return replace(found, page=page, confirming=found.reveals and "asked" in request.args)


def picked(context: ViewerContext, table: Table, page: str = "", *, action: Any, asked: bool = False) -> Picking:
    """Return the picks that lead to an action, with its preview; `asked` once its button was pressed. Raises Illegal.

    A possible action that is not listed as legal has no picks.
    """
    # Raises Illegal, so that only legal actions have picks.
    table.preview(action)
    position, seat = context.position, context.seat
    listed = seat is not None and action in position.ruleset.legal(position.state, seat)
    picks = table.picks(action) if listed else {}
    found = _with_preview(context, table, table.choices(picks), picks, action)
    return replace(found, page=page, confirming=found.reveals and asked)


def begun(context: ViewerContext, table: Table, refusal: str | None = None, page: str = "") -> Picking:
    """Return the beginning, with nothing picked."""
    return Picking(context.position.decision, tuple(table.kinds()), table.choices({}), refusal=refusal, page=page)


def _with_preview(context: ViewerContext, table: Table, choices: Choices, picks: Picks, action: Any | None) -> Picking:
    return Picking(
        context.position.decision,
        tuple(table.kinds()),
        choices,
        picks,
        None if action is None else table.preview(action),
        "" if action is None else context.position.ruleset.notate(action),
    )
