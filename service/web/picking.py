"""The part of a game's page in which a player picks an action, sees its preview, and confirms it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import request
from markupsafe import Markup

from service.rules.foresight import afterwards
from service.rules.kernel import Illegal, Unreadable
from service.rules.reliance import reliance
from service.texts.catalog import say
from service.views.dry_run import dry_run
from service.views.steps import NoSuchStep, Path, PickStep, step
from service.web.sitting import Sitting

LONGEST_NOTATION = 500
_MOST_STEPS = 30


@dataclass(frozen=True, slots=True)
class Preview:
    """What an action would do: its sentence, the events in words, and the table after it if the player can foresee it.

    `confirming` if the player has pressed the button of an action that cannot be taken back: a second button follows.
    """

    text: str
    notation: str
    happens: tuple[str, ...]
    complete: bool
    picture: Markup | None
    confirming: bool


@dataclass(frozen=True, slots=True)
class Picking:
    """The step or the preview that a player has reached, and why it is not the one that the address names."""

    step: PickStep | None = None
    preview: Preview | None = None
    refusal: str | None = None
    ahead: bool = False
    """Whether the action is one for a later turn."""

    @property
    def begun(self) -> bool:
        """Whether the player has picked anything yet."""
        return bool(self.preview or self.refusal or (self.step and self.step.path))


def picking(sitting: Sitting) -> Picking:
    """Return what the query asks for: a step (`pick`), the preview of an action (`notation`), or the first question.

    With `asked` in the query, the preview of an action that reveals something hidden asks for confirmation.
    """
    if not sitting.awaited:
        return _ahead(sitting)
    decision = request.args.get("decision", type=int)
    if decision is not None and decision != sitting.position.decision:
        return Picking(_step(sitting, ()), refusal=say(sitting.language, "at-stale"))
    if "notation" in request.args:
        return _written(sitting, request.args["notation"])
    try:
        reached = _step(sitting, _path(request.args.get("pick", "")))
    except NoSuchStep:
        return Picking(_step(sitting, ()), refusal=say(sitting.language, "at-lost-way"))
    return Picking(reached, None if reached.action is None else _preview(sitting, reached.action))


def _ahead(sitting: Sitting) -> Picking:
    """Return the step or preview of an action for a later turn; nothing for those who have no later turn."""
    position, seat = sitting.position, sitting.seat
    if seat is None or position.game.status != "running" or seat in position.resigned:
        return Picking()
    ruleset = position.ruleset
    offered = () if ruleset.ahead is None else ruleset.ahead(position.state, seat)
    first = step(position, seat, (), sitting.rules_language, offered) if offered else None
    if request.args.get("decision", position.decision, type=int) != position.decision:
        return Picking(first, refusal=say(sitting.language, "at-stale"), ahead=True)
    try:
        if "notation" in request.args:
            return Picking(preview=_order(sitting, seat, read_notation(sitting, request.args["notation"])), ahead=True)
        path = _path(request.args.get("pick", ""))
        reached = step(position, seat, path, sitting.rules_language, offered) if offered else None
    except NoSuchStep:
        return Picking(first, refusal=say(sitting.language, "at-lost-way"), ahead=True)
    except (Illegal, Unreadable) as refusal:
        return Picking(first, refusal=explained(sitting, refusal), ahead=True)
    action = None if reached is None else reached.action
    return Picking(reached, None if action is None else _order(sitting, seat, action), ahead=True)


def _order(sitting: Sitting, seat: int, action: Any) -> Preview:
    ruleset = sitting.position.ruleset
    # It raises Illegal for what no turn could allow.
    reliance(ruleset, sitting.view, seat, action)
    text, notation = sitting.described(action), ruleset.notate(action)
    return Preview(text, notation, happens=(), complete=True, picture=None, confirming=False)


def read_notation(sitting: Sitting, notation: str) -> Any:
    """Return the action of a notation; Unreadable."""
    if len(notation) > LONGEST_NOTATION:
        raise Unreadable(f"{notation[:40]} ...")
    return sitting.position.ruleset.parse(notation)


def explained(sitting: Sitting, refusal: Illegal | Unreadable) -> str:
    """Return the sentence that says why an action cannot be played."""
    if isinstance(refusal, Unreadable):
        return say(sitting.language, "unreadable", part=refusal)
    return say(sitting.language, "illegal", reason=sitting.described(refusal))


def _written(sitting: Sitting, notation: str) -> Picking:
    try:
        return Picking(preview=_preview(sitting, read_notation(sitting, notation)))
    except (Illegal, Unreadable) as refusal:
        return Picking(_step(sitting, ()), refusal=explained(sitting, refusal))


def _preview(sitting: Sitting, action: Any) -> Preview:
    position, seat = sitting.position, sitting.seat
    assert seat is not None  # noqa: S101 # for the type checker
    forecast = dry_run(position, seat, action, sitting.rules_language)
    after = afterwards(position.ruleset, position.state, position.game.seats, seat, action)
    return Preview(
        text=sitting.described(action),
        notation=position.ruleset.notate(action),
        happens=tuple(item["text"] for item in forecast["items"] if item["text"]),
        complete=forecast["complete"] and all(item["text"] for item in forecast["items"]),
        picture=None if after is None else sitting.imagined(position.ruleset.view(after, seat)),
        confirming=after is None and "asked" in request.args,
    )


def _step(sitting: Sitting, path: Path) -> PickStep:
    assert sitting.seat is not None  # noqa: S101 # for the type checker
    return step(sitting.position, sitting.seat, path, sitting.rules_language)


def _path(text: str) -> Path:
    steps = text.split(".") if text else []
    if len(steps) > _MOST_STEPS or not all(each.isascii() and each.isdigit() and len(each) < 5 for each in steps):
        raise NoSuchStep(text)
    return tuple(map(int, steps))
