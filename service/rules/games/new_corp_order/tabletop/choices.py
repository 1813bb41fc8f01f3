"""Kinds of action and choices: each part of an action can be picked and changed, on the board, as a card, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from service.rules.contributions import Sight
from service.rules.games.new_corp_order.actions import ACTION_TYPES, Infiltrate, SkipAbility
from service.rules.games.new_corp_order.describe import describe
from service.rules.games.new_corp_order.letters import DECK
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.tabletop import turn_rows as turns
from service.rules.games.new_corp_order.tabletop.ability_rows import ability_rows
from service.rules.games.new_corp_order.tabletop.infiltrate_rows import ORDER, infiltrate_parts, infiltrate_rows
from service.rules.games.new_corp_order.tabletop.labels import ask, show
from service.rules.games.new_corp_order.tabletop.words import counted, word
from service.rules.shapes import Choice, Choices, Kind, NoSuchChoice, Picks
from service.rules.tabletop.facets import KIND, Facets, Row, choose, picks_of, written

SKIP = "skip-ability"


class _Form(NamedTuple):
    """How a kind of action is picked: its rows, the order of its parts, those that are asked, the one with numbers."""

    rows: Callable[[State, Picks], list[Row]]
    order: tuple[str, ...]
    asked: tuple[str, ...]
    icon: str
    amount: str | None = None


_FORMS: Mapping[str, _Form] = {
    "plot": _Form(turns.plot_rows, ("first", "second"), ("first", "second"), "icon-plot"),
    "infiltrate": _Form(infiltrate_rows, ORDER, ("colour",), "icon-infiltrate", "cards"),
    "take-over": _Form(
        turns.takeover_rows, ("target", "source", "agents", "use"), ("target",), "icon-take-over", "agents"
    ),
    "discard": _Form(turns.discard_rows, turns.DISCARDED, ("first",), "icon-discard"),
    "choose-conglomerates": _Form(turns.conglomerate_rows, ("pair",), ("pair",), "icon-turn"),
    "place-agents": _Form(turns.placement_rows, ("first", "second"), (), "icon-infiltrate"),
    "exchange-agents": _Form(ability_rows, ("first", "second"), ("first",), "icon-ability"),
    "move-agents": _Form(ability_rows, ("source", "target", "source2", "target2"), ("source",), "icon-ability"),
    "rotate-cards": _Form(ability_rows, ("pile", "cards"), ("pile",), "icon-ability", "cards"),
    "unrotate-cards": _Form(ability_rows, ("first", "second"), ("first",), "icon-ability"),
    "exchange-cards": _Form(ability_rows, ("give", "take"), ("take",), "icon-ability"),
    "remove-card": _Form(ability_rows, ("pile",), ("pile",), "icon-ability"),
    "add-agents": _Form(ability_rows, ("company", "agents"), ("company",), "icon-ability", "agents"),
    "place-card": _Form(ability_rows, ("colour",), ("colour",), "icon-ability"),
    "withdraw-agents": _Form(ability_rows, ("company", "agents"), ("company",), "icon-ability", "agents"),
}
_BY_PHASE: Mapping[str, tuple[str, ...]] = {
    "turn": ("plot", "infiltrate", "take-over"),
    "second-card": ("plot",),
    "discard": ("discard",),
    "conglomerates": ("choose-conglomerates",),
    "placement": ("place-agents",),
    "ability": tuple(kind for kind, form in _FORMS.items() if form.rows is ability_rows),
}


def kinds(sight: Sight) -> Sequence[Kind]:
    """Return the kinds of action that are possible now, with how many of their targets succeed."""
    found = _rows(sight, {})
    made = [_kind(sight, kind, rows) for kind, rows in found.items()]
    if sight.known.phase == "ability":
        made.append(Kind(id=SKIP, word=word(sight, "skip"), icon="icon-fails", targets=1, good=1))
    return made


def choices(sight: Sight, picks: Picks) -> Choices:
    """Return what can be chosen after the picks; without a kind, the first choice of each kind."""
    if picks.get(KIND) == SKIP and sight.known.phase == "ability" and len(picks) == 1:
        return Choices(ask="", choices=(), action=SkipAbility())
    if KIND not in picks and picks:
        raise NoSuchChoice(dict(picks))
    found = _rows(sight, picks)
    if not found:
        raise NoSuchChoice(dict(picks))
    made = [_chosen(sight, kind, rows, picks) for kind, rows in found.items()]
    if KIND in picks or (len(made) == 1 and sight.known.phase != "ability"):
        return made[0]
    offered = [
        replace(each, chosen=False)
        for kind, one in zip(found, made, strict=True)
        for each in one.choices
        if each.part == _FORMS[kind].order[0]
    ]
    if sight.known.phase == "ability":
        offered.append(_skip(sight))
    return Choices(ask=made[-1].ask if len(made) == 1 else word(sight, "ask.any"), choices=tuple(offered))


def picks(sight: Sight, action: Any) -> Picks:
    """Return the picks that lead to a legal action."""
    kind = next(tag for tag, each in ACTION_TYPES.items() if each is type(action))
    if kind == SKIP:
        return {KIND: kind}
    if isinstance(action, Infiltrate):
        return picks_of(_facets(sight, kind, {}), Row(action, infiltrate_parts(action)))
    begun: Picks = {}
    if kind == "move-agents":
        begun = {"source": action.moves[0].source, "target": action.moves[0].target}
    row = next(row for row in _FORMS[kind].rows(sight.known, begun) if row.action == action)
    return picks_of(_facets(sight, kind, {}), row)


def _rows(sight: Sight, picks: Picks) -> dict[str, list[Row]]:
    """Return the rows of the kind that is picked, or of each that is possible."""
    if picks:
        return _found(sight.known, picks)
    if "rows" not in sight.memo:
        sight.memo["rows"] = _found(sight.known, picks)
    rows: dict[str, list[Row]] = sight.memo["rows"]
    return rows


def _found(state: State, picks: Picks) -> dict[str, list[Row]]:
    wanted = [kind for kind in _BY_PHASE.get(state.phase, ()) if picks.get(KIND, kind) == kind]
    if state.solo and "infiltrate" in wanted:
        wanted.remove("infiltrate")
    if state.phase == "ability":
        rows = ability_rows(state, picks)
        return {kind: rows for kind in wanted if rows and type(rows[0].action) is ACTION_TYPES[kind]}
    found = {kind: _FORMS[kind].rows(state, picks) for kind in wanted}
    return {kind: rows for kind, rows in found.items() if rows}


def _kind(sight: Sight, kind: str, rows: Sequence[Row]) -> Kind:
    form = _FORMS[kind]
    targets = {written(row.parts[form.order[0]]) for row in rows}
    good = {written(row.parts[form.order[0]]) for row in rows if row.prospect == "good"}
    name = describe(ACTION_TYPES[kind], sight.viewer, sight.language, sight.names)
    return Kind(id=kind, word=name, icon=form.icon, targets=len(targets), good=len(good))


def _chosen(sight: Sight, kind: str, rows: Sequence[Row], picks: Picks) -> Choices:
    made = choose(rows, {KIND: kind, **picks}, _facets(sight, kind, picks))
    if kind != "take-over" or made.action is not None:
        return made
    told = _kind(sight, kind, rows)
    key = "ask.target" if told.good else "ask.target.none"
    return replace(made, ask=counted(sight, key, told.targets, good=told.good))


def _facets(sight: Sight, kind: str, picks: Picks) -> Facets:
    form = _FORMS[kind]
    asked = set(form.asked)
    if kind == "plot" and picks.get("first") == DECK:
        asked.remove("second")
    if "source2" in picks:
        asked.add("target2")
    return Facets(
        kind=kind,
        order=form.order,
        asked=frozenset(asked),
        show=lambda part, value: show(sight, kind, part, value),
        ask=lambda part: ask(sight, kind, part),
        amount=form.amount,
    )


def _skip(sight: Sight) -> Choice:
    label = word(sight, "skip")
    return Choice(part=KIND, value=SKIP, label=label, place=None, prospect="good", gain=0, picks={KIND: SKIP})
