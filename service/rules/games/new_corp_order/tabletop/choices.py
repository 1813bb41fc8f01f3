"""Kinds of action and choices: each part of an action can be picked on the board, as a card, or in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from service.rules.games.new_corp_order.actions import ACTION_TYPES, Infiltrate, SkipAbility
from service.rules.games.new_corp_order.describe import company_label, describe
from service.rules.games.new_corp_order.notation import DECK
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.tabletop.board import hand_place
from service.rules.games.new_corp_order.tabletop.rows import (
    DISCARDED,
    ORDER,
    ability_rows,
    conglomerate_rows,
    discard_rows,
    infiltrate_parts,
    infiltrate_rows,
    placement_rows,
    plot_rows,
    takeover_rows,
)
from service.rules.games.new_corp_order.tabletop.words import counted, speaker, word
from service.rules.games.new_corp_order.terms import SQUARES
from service.rules.games.new_corp_order.words.language import fill
from service.rules.table_parts import Choice, Choices, Kind, NoSuchChoice, Picks
from service.rules.table_plugin import Sight
from service.rules.tabletop.choices import KIND, Facets, Row, choose, picks_of, written

SKIP = "skip-ability"


class _Form(NamedTuple):
    """Form of a kind of action: its rows, the order of its parts, those that are asked, the one with numbers."""

    rows: Callable[[State, Picks], list[Row]]
    order: tuple[str, ...]
    asked: tuple[str, ...]
    icon: str
    amount: str | None = None


_FORMS: Mapping[str, _Form] = {
    "plot": _Form(plot_rows, ("first", "second"), ("first", "second"), "icon-plot"),
    "infiltrate": _Form(infiltrate_rows, ORDER, ("colour",), "icon-infiltrate", "cards"),
    "take-over": _Form(takeover_rows, ("target", "source", "agents", "use"), ("target",), "icon-take-over", "agents"),
    "discard": _Form(discard_rows, DISCARDED, ("first",), "icon-discard"),
    "choose-conglomerates": _Form(conglomerate_rows, ("pair",), ("pair",), "icon-turn"),
    "place-agents": _Form(placement_rows, ("first", "second"), (), "icon-infiltrate"),
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


# Questions for the parts of an action; label and place of each value.

_QUESTIONS: Mapping[str, str] = {
    "plot/first": "plot/sources/0",
    "plot/second": "plot/sources/1",
    "infiltrate/colour": "infiltrate/placements/0/colour",
    "take-over/target": "take-over/target",
    "choose-conglomerates/pair": "choose-conglomerates/colours",
    "exchange-agents/first": "exchange-agents/first",
    "exchange-agents/second": "exchange-agents/second",
    "move-agents/source": "move-agents/moves/0/source",
    "move-agents/target": "move-agents/moves/#/target",
    "move-agents/target2": "move-agents/moves/#/target",
    "rotate-cards/pile": "rotate-cards/colour",
    "unrotate-cards/first": "unrotate-cards/colours/0",
    "exchange-cards/give": "exchange-cards/give/colour",
    "exchange-cards/take": "exchange-cards/take/colour",
    "remove-card/pile": "remove-card/card/colour",
    "discard/first": "discard/cards/#",
    "add-agents/company": "add-agents/company",
    "place-card/colour": "place-card/colour",
    "withdraw-agents/company": "withdraw-agents/company",
}
"""Keys of the questions for parts, in `Language.questions`."""
_NOTHING: Mapping[str, str] = {
    "plot/second": "plot/sources/1.none",
    "infiltrate/use": "infiltrate/use.none",
    "infiltrate/joker": "infiltrate/joker.none",
    "infiltrate/take": "infiltrate/take.none",
    "infiltrate/colour2": "infiltrate/placements/1/colour.none",
    "take-over/use": "take-over/use.none",
    "move-agents/source2": "move-agents/moves/1/source.none",
    "unrotate-cards/second": "unrotate-cards/colours/1.none",
}
"""Keys of the labels for choosing nothing."""


def ask(sight: Sight, kind: str, part: str) -> str:
    """Return the question for a part that has to be picked."""
    return speaker(sight).language.questions[_QUESTIONS[f"{kind}/{part}"]]


def show(sight: Sight, kind: str, part: str, value: Any) -> tuple[str, str | None]:
    """Return the label of a value for a part, and the place on the board or the piece that stands for it."""
    if value is None:
        key = _NOTHING.get(f"{kind}/{part}")
        return (speaker(sight).language.questions[key] if key else word(sight, "none")), None
    if value in SQUARES:
        return company_label(speaker(sight), sight.view, value), value
    return _SHOWN.get(part, _SHOWN.get(kind, _colour))(sight, value)


def _slot(sight: Sight, slot: str) -> tuple[str, str]:
    voice = speaker(sight)
    if not slot.isdigit():
        return _begun(voice.phrase("take-deck")), slot
    card = sight.view["display"][int(slot) - 1]
    return _begun(word(sight, "slot", slot=slot, card=voice.colour(card))), slot


def _hand(sight: Sight, colour: str) -> tuple[str, str]:
    voice, held = speaker(sight), sight.view["you"]["hand"]
    label = fill(voice.language.questions["in-hand"], {"colour": voice.colour(colour), "n": held[colour]})
    return _begun(label), hand_place(colour)


def _colour(sight: Sight, colour: str) -> tuple[str, None]:
    return _begun(speaker(sight).colour(colour)), None


def _pair(sight: Sight, colours: str) -> tuple[str, None]:
    return _begun(speaker(sight).pair(colours.split("-"))), None


def _begun(label: str) -> str:
    """Return a label of words that stand within sentences elsewhere, with a capital letter."""
    return label[0].upper() + label[1:]


def _pile(sight: Sight, name: str) -> tuple[str, str]:
    """A pile in an HQ goes by its seat, its colour, and whether its cards are rotated."""
    seat, colour, *rotated = name.split("-")
    voice = speaker(sight)
    what = voice.card(colour, bool(rotated))
    return voice.phrase("held-by", name=voice.name(int(seat)), what=what), f"@{name}"


def _number(kind: str) -> Callable[[Sight, int], tuple[str, None]]:
    return lambda sight, n: (speaker(sight).number(kind, n), None)


def _consultant(place: str) -> Callable[[Sight, str], tuple[str, str]]:
    return lambda sight, consultant: (speaker(sight).consultant(consultant), f"{place}-{consultant}")


_SHOWN: Mapping[str, Callable[[Sight, Any], tuple[str, str | None]]] = {
    "plot": _slot,
    "discard": _hand,
    "pair": _pair,
    "unrotate-cards": _pile,
    "colour": _hand,
    "colour2": _hand,
    "joker": _hand,
    "pile": _pile,
    "give": _pile,
    "take": lambda sight, value: (_consultant("supply") if value[0].isalpha() else _pile)(sight, value),
    "use": _consultant("consultant"),
    "cards": _number("cards"),
    "cards2": _number("cards"),
    "agents": _number("agents-alone"),
}
