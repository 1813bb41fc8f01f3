"""What a player has picked for the move that is asked: the picks of the query, what they leave open, the preview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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

_MEANT: Final = frozenset({"decision", "notation", "asked", "pick", "moves", "language", "have", "beside", "open"})
"""The parameters of the address that are no picks."""
_MOST: Final = 30


@dataclass(frozen=True)
class Picking:
    """What can be picked next, and the preview of the action that is picked.

    `confirming` if the player has pressed the button of an action that shows something hidden: it is asked once more.
    `page` is the path that the links go to; if it is empty, they go to the page on which they stand.
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
        """Whether the action that is picked shows something hidden."""
        return self.preview is not None and self.preview.reveals

    @property
    def kind(self) -> str | None:
        """The kind of action that is picked."""
        return self.picks.get(KIND)

    def link(self, picks: Picks) -> str:
        """Return the address that has these picks."""
        return f"{self.page}?{urlencode({'decision': self.decision, **picks})}#act"

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
    """Return what the query asks for, or the beginning with a refusal; None if nothing is asked of the viewer."""
    if not sitting.awaited:
        return None
    decision = sitting.position.decision
    if request.args.get("decision", decision, type=int) != decision:
        return begun(sitting, table, say(sitting.language, "at-stale"))
    try:
        return picked_in_query(sitting, table)
    except NoSuchChoice:
        return begun(sitting, table, say(sitting.language, "at-lost-way"))
    except (Illegal, Unreadable) as refusal:
        return begun(sitting, table, explained(sitting, refusal))


def picked_in_query(sitting: Sitting, table: Table, page: str = "") -> Picking:
    """Return the picks of the query, or the action of its `notation`; NoSuchChoice, Illegal, Unreadable."""
    if "notation" in request.args:
        action = read_notation(sitting.position, request.args["notation"])
        return picked(sitting, table, page, action=action, asked="asked" in request.args)
    picks = {part: value for part, value in request.args.items() if part not in _MEANT}
    if KIND not in picks:
        picks = {}
    if len(picks) > _MOST:
        raise NoSuchChoice(picks)
    choices = table.choices(picks)
    found = _with_preview(sitting, table, choices, picks, choices.action)
    return replace(found, page=page, confirming=found.reveals and "asked" in request.args)


def picked(sitting: Sitting, table: Table, page: str = "", *, action: Any, asked: bool = False) -> Picking:
    """Return the picks that lead to an action, with its preview; `asked` once its button was pressed. Raises Illegal.

    An action that is possible but is not listed as legal has no picks.
    """
    # It raises Illegal, so that only legal actions have picks.
    table.preview(action)
    position, seat = sitting.position, sitting.seat
    listed = seat is not None and action in position.ruleset.legal(position.state, seat)
    picks = table.picks(action) if listed else {}
    found = _with_preview(sitting, table, table.choices(picks), picks, action)
    return replace(found, page=page, confirming=found.reveals and asked)


def begun(sitting: Sitting, table: Table, refusal: str | None = None, page: str = "") -> Picking:
    """Return the beginning, at which nothing is picked."""
    return Picking(sitting.position.decision, tuple(table.kinds()), table.choices({}), refusal=refusal, page=page)


def _with_preview(sitting: Sitting, table: Table, choices: Choices, picks: Picks, action: Any | None) -> Picking:
    return Picking(
        sitting.position.decision,
        tuple(table.kinds()),
        choices,
        picks,
        None if action is None else table.preview(action),
        "" if action is None else sitting.position.ruleset.notate(action),
    )
