"""Kinds of action and choices: each part of an action can be picked on the board, as a card, at a panel, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from service.rules.contributions import Sight
from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.describe import describe
from service.rules.games.bastards_inc.entering import price_to_enter
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.tabletop.forms import FORMS, Form
from service.rules.games.bastards_inc.tabletop.hints import hint
from service.rules.games.bastards_inc.tabletop.labels import Labels, ask
from service.rules.games.bastards_inc.tabletop.prospects import gain, prospect
from service.rules.shapes import Choice, Choices, Kind, NoSuchChoice, Picks
from service.rules.tabletop.facets import KIND, Facets, Row, choose, picks_of, written

_TAGS: Mapping[type[Any], str] = {kind: tag for tag, kind in a.ACTION_TYPES.items()}
_ANSWERS = frozenset({a.Agree, a.Decline})
_ASIDE = frozenset({"instruct", "give", "invite"})
"""The kinds whose choices are neither offered before the kind is picked nor suggested: they are seldom wanted."""


def kinds(sight: Sight) -> Sequence[Kind]:
    """Return the kinds of action that are possible now, with how many of their first choices are sure to succeed."""
    return [_kind(sight, kind, rows) for kind, rows in _rows(sight).items()]


def choices(sight: Sight, picks: Picks) -> Choices:
    """Return what can be chosen after the picks; without a kind, the first choice of each kind."""
    found = {_TAGS[kind]: (FORMS[kind], rows) for kind, rows in _rows(sight).items()}
    tag = picks.get(KIND, "") if picks or len(found) > 1 else next(iter(found))
    if tag in found:
        form, rows = found[tag]
        return choose(rows, {KIND: tag, **picks}, _facets(sight, tag, form, rows))
    if picks:
        raise NoSuchChoice(dict(picks))
    offered = [
        each for kind, (form, rows) in found.items() if kind not in _ASIDE for each in _firsts(sight, kind, form, rows)
    ]
    return Choices(ask=hint(sight), choices=tuple(offered))


def picks(sight: Sight, action: Any) -> Picks:
    """Return the picks that lead to a legal action."""
    kind, form = _TAGS[type(action)], FORMS[type(action)]
    return picks_of(_facets(sight, kind, form, ()), Row(action, _parts(form, action)))


def _rows(sight: Sight) -> dict[type[Any], list[Row]]:
    """Return the legal actions of each kind as rows, in the order of the kinds."""
    if "rows" not in sight.memo:
        found: dict[type[Any], list[Row]] = {kind: [] for kind in FORMS}
        for action in legal(sight.known, sight.viewer or 0):
            found[type(action)].append(_row(sight, action))
        sight.memo["rows"] = {kind: rows for kind, rows in found.items() if rows}
    rows: dict[type[Any], list[Row]] = sight.memo["rows"]
    return rows


def _row(sight: Sight, action: Any) -> Row:
    parts, gained = _parts(FORMS[type(action)], action), gain(sight, action)
    return Row(action, parts, prospect(sight, action), gained, (gained or 0, *_thrift(sight, action, parts)))


def _thrift(sight: Sight, action: Any, parts: Mapping[str, Any]) -> tuple[int, ...]:
    """What is to be said for an action beside its gain: black money, a low price, no card spent, small amounts."""
    black = len(action.vps) if isinstance(action, a.Deal) else 0
    price = price_to_enter(sight.known, sight.viewer or 0, action) if isinstance(action, a.Place) else 0
    amounts = sum(value for value in parts.values() if isinstance(value, int))
    return black, -price, -(parts.get("by") == "papers"), -amounts


def _parts(form: Form, action: Any) -> Mapping[str, Any]:
    parts = form.parts(action)
    return {part: parts.get(part) for part in form.order}


def _kind(sight: Sight, kind: type[Any], rows: Sequence[Row]) -> Kind:
    form = FORMS[kind]
    first = form.order[0] if form.order else ""
    targets = {written(row.parts.get(first)) for row in rows}
    good = {written(row.parts.get(first)) for row in rows if row.prospect == "good"}
    word = describe(kind, sight.viewer, sight.language, sight.names)
    return Kind(
        id=_TAGS[kind],
        word=word,
        icon=form.icon,
        targets=len(targets),
        good=len(good),
        answers=kind in _ANSWERS,
        aside=_TAGS[kind] in _ASIDE,
    )


def _facets(sight: Sight, kind: str, form: Form, rows: Sequence[Row]) -> Facets:
    values = {part: list(dict.fromkeys(row.parts.get(part) for row in rows)) for part in form.order}
    return Facets(
        kind=kind,
        order=form.order,
        asked=form.asked,
        show=Labels(sight, kind, values).show,
        ask=lambda part: ask(sight, kind, part),
        amount=form.amount,
    )


def _firsts(sight: Sight, kind: str, form: Form, rows: Sequence[Row]) -> Iterator[Choice]:
    """Yield the first choices of a kind; a kind without parts is a choice itself."""
    if not form.order:
        row = rows[0]
        word = describe(type(row.action), sight.viewer, sight.language, sight.names)
        yield Choice(
            part=KIND,
            value=kind,
            label=word,
            place=None,
            prospect=row.prospect,
            gain=row.gain,
            picks={KIND: kind},
        )
        return
    made = choose(rows, {KIND: kind}, _facets(sight, kind, form, rows))
    yield from (replace(each, chosen=False) for each in made.choices if each.part == form.order[0])
