"""The question for each part of an action that is picked part by part, and the labels of the answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service.rules.games.new_corp_order.letters import DECK
from service.rules.games.new_corp_order.terms import SLOTS, SQUARES
from service.rules.games.new_corp_order.words import speak
from service.rules.games.new_corp_order.words.voice import Voice, fill
from service.rules.kernel import Json, Part, Question

_FROM_HAND = ("infiltrate", "discard", "place-card")


def ask(part: Part, view: Json, language: str, names: Sequence[str]) -> Question:
    """Return the question for a part of an action in a language (English, if unknown), with a label for each value."""
    voice = Voice(speak(language), view["you"] and view["you"]["seat"], names)
    questions = voice.language.questions
    exact, anywhere = f"{part.kind}{part.pointer}", f"{part.kind}{re.sub(r'[0-9]+', '#', part.pointer)}"
    text = questions.get(exact) or questions[anywhere]
    labels = [questions[f"{exact}.none"] if each is None else _label(voice, view, part, each) for each in part.values]
    places = [_place(_field(part), each) for each in part.values]
    return Question(text=text, labels=tuple(labels), places=tuple(places))


def _field(part: Part) -> str:
    return next(step for step in reversed(part.pointer.split("/")) if not step.isdigit())


def _place(field: str, value: Any) -> str | None:
    """Return the name of the place in the picture for which the value stands."""
    if field == "hq":
        return f"@{value}"
    if value == "deck":
        return DECK
    return value if value in SQUARES or value in SLOTS else None


def _label(voice: Voice, view: Json, part: Part, value: Any) -> str:
    field = _field(part)
    if isinstance(value, str) and field in ("colour", "colours", "cards", "joker"):
        return _colour(voice, view, part.kind, value)
    return _LABELS[field](voice, view, value)


def _colour(voice: Voice, view: Json, kind: str, colour: str) -> str:
    name = voice.colour(colour)
    if kind not in _FROM_HAND:
        return name
    return fill(voice.language.questions["in-hand"], {"colour": name, "n": view["you"]["hand"][colour]})


def _company(voice: Voice, view: Json, square: str) -> str:
    company = next(each for each in view["grid"]["companies"] if each["square"] == square)
    agents = voice.coloured("agents-listed", company["agents"], company["colour"])
    return fill(voice.language.questions["company"], {"square": square, "name": company["name"], "agents": agents})


def _source(voice: Voice, view: Json, source: str) -> str:
    if source == "deck":
        return voice.phrase("take-deck")
    return voice.phrase("in-slot", colour=voice.colour(view["display"][int(source) - 1]), slot=source)


def _rotated(voice: Voice, _: Json, rotated: bool) -> str:
    return voice.language.questions["rotated" if rotated else "upright"]


_LABELS: Mapping[str, Callable[[Voice, Json, Any], str]] = {
    "sources": _source,
    **dict.fromkeys(("company", "companies", "source", "target", "first", "second"), _company),
    "cards": lambda voice, _, number: voice.number("cards", number),
    "agents": lambda voice, _, number: voice.number("agents-alone", number),
    **dict.fromkeys(("use", "take"), lambda voice, _, consultant: voice.consultant(consultant)),
    "hq": lambda voice, _, seat: voice.name(seat),
    "rotated": _rotated,
}
