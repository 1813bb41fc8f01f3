"""What a player has picked for the move that is asked: the picks of the query, what they leave open, the preview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlencode

from flask import request

from service.rules.kernel import Illegal, Unreadable
from service.rules.shapes import Choice, Choices, Kind, NoSuchChoice, Picks, Preview
from service.rules.tabletop.facets import KIND
from service.rules.tabletop.table import Table
from service.texts.catalog import say
from service.web.planning import explained, read_notation
from service.web.sitting import Sitting

_MEANT: Final = frozenset({"decision", "notation", "asked", "pick", "moves", "language", "have", "beside"})
"""The parameters of the address that are no picks."""
_MOST: Final = 30


@dataclass(frozen=True)
class Picking:
    """What can be picked next, and the preview of the action that is picked.

    `confirming` if the player has pressed the button of an action that shows something hidden: it is asked once more.
    """

    decision: int
    kinds: tuple[Kind, ...] = ()
    choices: Choices = field(default_factory=lambda: Choices(ask="", choices=()))
    picks: Picks = field(default_factory=dict)
    preview: Preview | None = None
    notation: str = ""
    refusal: str | None = None
    confirming: bool = False

    @property
    def kind(self) -> str | None:
        """The kind of action that is picked."""
        return self.picks.get(KIND)

    def link(self, picks: Picks) -> str:
        """Return the address that has these picks."""
        return f"?{urlencode({'decision': self.decision, **picks})}#act"

    @cached_property
    def targets(self) -> Mapping[str, Choice]:
        """What pressing a place picks: the part that is asked, else the first one that can be there."""
        found: dict[str, Choice] = {}
        for part in self._parts():
            for choice in self.choices.choices:
                if choice.part == part and choice.place is not None:
                    found.setdefault(choice.place, choice)
        return found

    def _parts(self) -> list[str]:
        """The parts of the choices in their order, but that first which is asked."""
        order = list(dict.fromkeys(choice.part for choice in self.choices.choices))
        settled = {choice.part for choice in self.choices.choices if choice.chosen}
        return [part for part in order if part not in settled] + [part for part in order if part in settled]


def picking(sitting: Sitting, table: Table) -> Picking | None:
    """Return what the query asks for: picks, or the action of a `notation`; None if nothing is asked of the viewer."""
    if not sitting.awaited:
        return None
    decision = sitting.position.decision
    if request.args.get("decision", decision, type=int) != decision:
        return _begun(sitting, table, say(sitting.language, "at-stale"))
    try:
        if "notation" in request.args:
            return _written(sitting, table, read_notation(sitting, request.args["notation"]))
        picks = {part: value for part, value in request.args.items() if part not in _MEANT}
        if KIND not in picks:
            picks = {}
        if len(picks) > _MOST:
            raise NoSuchChoice(picks)
        return _picked(sitting, table, picks)
    except NoSuchChoice:
        return _begun(sitting, table, say(sitting.language, "at-lost-way"))
    except (Illegal, Unreadable) as refusal:
        return _begun(sitting, table, explained(sitting, refusal))


def _begun(sitting: Sitting, table: Table, refusal: str) -> Picking:
    return Picking(sitting.position.decision, tuple(table.kinds()), table.choices({}), refusal=refusal)


def _picked(sitting: Sitting, table: Table, picks: Picks) -> Picking:
    choices = table.choices(picks)
    return _with_preview(sitting, table, choices, picks, choices.action)


def _written(sitting: Sitting, table: Table, action: Any) -> Picking:
    # It raises Illegal, so that only legal actions have picks.
    table.preview(action)
    position, seat = sitting.position, sitting.seat
    if seat is None or action not in position.ruleset.legal(position.state, seat):
        return _with_preview(sitting, table, table.choices({}), {}, action)
    picks = table.picks(action)
    return _with_preview(sitting, table, table.choices(picks), picks, action)


def _with_preview(sitting: Sitting, table: Table, choices: Choices, picks: Picks, action: Any | None) -> Picking:
    preview = None if action is None else table.preview(action)
    return Picking(
        sitting.position.decision,
        tuple(table.kinds()),
        choices,
        picks,
        preview,
        "" if action is None else sitting.position.ruleset.notate(action),
        confirming=preview is not None and preview.reveals and "asked" in request.args,
    )
