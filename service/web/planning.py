"""The picker of an action for a later turn, which becomes an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import request

from service.rules.kernel import Illegal, Unreadable
from service.rules.reliance import reliance
from service.store.position import Position
from service.texts.catalog import say
from service.views.steps import NoSuchStep, Path, PickStep, step
from service.web.scene import Scene
from service.web.sitting import Sitting

LONGEST_NOTATION = 500
_MOST_STEPS = 30


@dataclass(frozen=True, slots=True)
class Planned:
    """An action that the player has picked for a later turn: its sentence and its notation."""

    text: str
    notation: str


@dataclass(frozen=True, slots=True)
class Planning:
    """The step that a player has reached, or the action picked, and why it is not the one that the address names."""

    step: PickStep | None = None
    planned: Planned | None = None
    refusal: str | None = None

    @property
    def begun(self) -> bool:
        """Whether the player has picked anything yet."""
        return bool(self.planned or self.refusal or (self.step and self.step.path))


def planning(sitting: Sitting, scene: Scene) -> Planning | None:
    """Return the step (`pick` of the query) or the action (`notation`); None for those who have no later turn."""
    position, seat = sitting.position, sitting.seat
    if sitting.awaited or seat is None or position.game.status != "running" or seat in position.resigned:
        return None
    offered, first = scene.keep("planning", lambda: _offered(sitting, seat))
    if request.args.get("decision", position.decision, type=int) != position.decision:
        return Planning(first, refusal=say(sitting.language, "at-stale"))
    try:
        if "notation" in request.args:
            return Planning(planned=_planned(sitting, seat, read_notation(position, request.args["notation"])))
        path = _path(request.args.get("pick", ""))
        reached = step(position, seat, path, sitting.rules_language, offered) if offered and path else first
    except NoSuchStep:
        return Planning(first, refusal=say(sitting.language, "at-lost-way"))
    except (Illegal, Unreadable) as refusal:
        return Planning(first, refusal=explained(sitting, refusal))
    action = None if reached is None else reached.action
    return Planning(reached, None if action is None else _planned(sitting, seat, action))


def _offered(sitting: Sitting, seat: int) -> tuple[Sequence[Any], PickStep | None]:
    """Return the actions that a later turn may allow, and the first step among them."""
    position, ahead = sitting.position, sitting.position.ruleset.ahead
    offered = () if ahead is None else ahead(position.state, seat)
    return offered, step(position, seat, (), sitting.rules_language, offered) if offered else None


def read_notation(position: Position, notation: str) -> Any:
    """Return the action of a notation; Unreadable."""
    if len(notation) > LONGEST_NOTATION:
        raise Unreadable(f"{notation[:40]} ...")
    return position.ruleset.parse(notation)


def explained(sitting: Sitting, refusal: Illegal | Unreadable) -> str:
    """Return the sentence that says why an action cannot be played."""
    if isinstance(refusal, Unreadable):
        return say(sitting.language, "unreadable", part=refusal)
    return say(sitting.language, "illegal", reason=sitting.described(refusal))


def _planned(sitting: Sitting, seat: int, action: Any) -> Planned:
    ruleset = sitting.position.ruleset
    # It raises Illegal for what no turn could allow.
    reliance(ruleset, sitting.view, seat, action)
    return Planned(sitting.described(action), ruleset.notate(action))


def _path(text: str) -> Path:
    steps = text.split(".") if text else []
    if len(steps) > _MOST_STEPS or not all(each.isascii() and each.isdigit() and len(each) < 5 for each in steps):
        raise NoSuchStep(text)
    return tuple(map(int, steps))
