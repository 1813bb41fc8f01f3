"""Action line of a table: a sentence, kinds of action, amounts, outcomes of choices, and the button."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from service.rules.table_parts import Choice, Kind, Preview
from service.rules.tabletop.choices import KIND
from service.rules.tabletop.table import Table
from service.texts.catalog import say
from service.web.play.action_picker import Picking
from service.web.play.board_overlays import outcome_text, use_symbol

KINDS_IN_SIGHT = 4
"""Maximum number of visible kinds of action; the others are behind "More"."""


@dataclass(frozen=True, slots=True)
class ShownKind:
    """Kind of action as a segment: its icon, link, and whether it is picked."""

    kind: Kind
    icon: Markup
    href: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ShownChoice:
    """Choice as a link: its label, its outcome as a sign and in words, and whether it is picked."""

    label: str
    href: str
    prospect: str
    outcome: str
    told: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Stepper:
    """Amount, with links to one less and one more, None at the ends."""

    label: str
    less: str | None
    more: str | None


@dataclass(frozen=True, slots=True)
class ActionLine:
    """Contents of the action line for a choice.

    `listed` has all choices by part or kind, with a title. `others` has the choices for parts without places on the
    board. `back` is the address at which nothing is picked.
    """

    sentence: str
    more: str
    kinds: tuple[ShownKind, ...]
    stepper: Stepper | None
    others: tuple[tuple[ShownChoice, ...], ...]
    listed: tuple[tuple[str, tuple[ShownChoice, ...]], ...]
    preview: Preview | None
    gain: str
    back: str
    confirming: bool
    begun: bool

    @property
    def fails(self) -> bool:
        """Return whether the previewed action fails."""
        return self.preview is not None and self.preview.told.prospect == "bad"


def action_line(table: Table, picking: Picking, language: str) -> ActionLine:
    """Return the action line for a reader who has to act."""
    preview, choices = picking.preview, picking.choices
    asked = choices.ask if picking.picks and choices.ask else table.status().sentence
    hint = choices.ask if not picking.picks else ""
    return ActionLine(
        sentence=asked if preview is None else preview.told.sentence,
        more=hint if preview is None else preview.told.consequence,
        kinds=_kinds(table, picking),
        stepper=_stepper(picking),
        others=_others(picking, table.board().places, language),
        listed=_listed(picking, language),
        preview=preview,
        gain=_gain(table, picking),
        back=picking.link({}),
        confirming=picking.confirming,
        begun=bool(picking.picks) or preview is not None,
    )


def _kinds(table: Table, picking: Picking) -> tuple[ShownKind, ...]:
    if len(picking.kinds) < 2:
        return ()
    symbols = table.symbols
    return tuple(
        ShownKind(each, use_symbol(symbols, each.icon).svg, picking.link({KIND: each.id}), each.id == picking.kind)
        for each in picking.kinds
    )


def _stepper(picking: Picking) -> Stepper | None:
    offered = (each for each in picking.choices.choices if each.part == picking.choices.amount)
    amounts = sorted(offered, key=lambda each: int(each.value))
    at = next((index for index, each in enumerate(amounts) if each.chosen), None)
    if at is None or len(amounts) < 2:
        return None
    less = picking.link(amounts[at - 1].picks) if at else None
    more = picking.link(amounts[at + 1].picks) if at + 1 < len(amounts) else None
    return Stepper(amounts[at].label, less, more)


def _others(picking: Picking, places: Collection[str], language: str) -> tuple[tuple[ShownChoice, ...], ...]:
    """Return the choices that no place on the board picks; a part with a place off the board is returned whole.

    Choices of several kinds look alike while no kind is picked, so none are returned then.
    """
    found: list[tuple[ShownChoice, ...]] = []
    kinds: set[str] = set()
    for part in _parts(picking):
        elsewhere = [each for each in part if not _pressed(picking, each)]
        wanted = part if any(each.place is not None for each in elsewhere) else elsewhere
        kinds.update(each.picks.get(KIND, "") for each in wanted)
        if wanted:
            found.append(tuple(_shown(picking, each, language, places, alike=_alike(part)) for each in wanted))
    return () if picking.kind is None and len(kinds) > 1 else tuple(found)


def _parts(picking: Picking) -> list[list[Choice]]:
    """Return the parts with several choices, except the amount and parts whose places the next part has too."""
    parts = [list(group) for _, group in groupby(picking.choices.choices, key=lambda choice: choice.part)]
    later = [{each.place for part in parts[index + 1 :] for each in part} for index in range(len(parts))]
    return [
        part
        for part, taken in zip(parts, later, strict=True)
        if part[0].part not in {picking.choices.amount, KIND}
        and len(part) > 1
        and not (any(each.chosen for each in part) and all(each.place and each.place in taken for each in part[1:]))
    ]


def _pressed(picking: Picking, choice: Choice) -> bool:
    return choice.place is not None and picking.targets.get(choice.place) == choice


def _listed(picking: Picking, language: str) -> tuple[tuple[str, tuple[ShownChoice, ...]], ...]:
    """Return all choices, by kind while none is picked, else by part; the part that is asked has a title."""
    words = {each.id: each.word for each in picking.kinds}

    def name(choice: Choice) -> tuple[str, str]:
        return choice.picks.get(KIND, ""), choice.part

    found: list[tuple[str, tuple[ShownChoice, ...]]] = []
    for (kind, _), part in groupby(picking.choices.choices, key=name):
        offered = list(part)
        shown = tuple(_shown(picking, each, language, alike=_alike(offered)) for each in offered)
        asked = not any(each.chosen for each in shown)
        found.append((words.get(kind, "") if not picking.picks else picking.choices.ask if asked else "", shown))
    return tuple(found)


def _alike(part: Sequence[Choice]) -> bool:
    """Return whether no outcome tells the choices of a part apart: none has a known gain, none fails."""
    return not any(each.gain or each.prospect == "bad" for each in part)


def _shown(
    picking: Picking, choice: Choice, language: str, places: Collection[str] = (), *, alike: bool
) -> ShownChoice:
    """Return a choice as a link, labelled by its place if on the board; the outcome is hidden if all are alike."""
    return ShownChoice(
        label=choice.place if choice.place is not None and choice.place in places else choice.label,
        href=picking.link(choice.picks),
        prospect=choice.prospect,
        outcome="" if alike else outcome_text(choice.prospect, choice.gain),
        told=say(language, f"pick-{choice.prospect}"),
        chosen=choice.chosen,
    )


def _gain(table: Table, picking: Picking) -> str:
    """Return the outcome of the previewed action: its sign, and the points that the reader gains.

    Empty if there is no known gain, unless the action fails.
    """
    viewer = table.sight.viewer
    if picking.preview is None or viewer is None:
        return ""
    before, after = picking.preview.points[viewer]
    gained = 0 if before is None or after is None else after - before
    prospect = picking.preview.told.prospect
    return "" if prospect != "bad" and not gained else outcome_text(prospect, gained)
