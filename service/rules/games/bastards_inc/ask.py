"""The question for each part of an action that is picked part by part, and the labels of the answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service.rules.games.bastards_inc.edition.numbers import EFFORT
from service.rules.games.bastards_inc.state_of_play import listener
from service.rules.games.bastards_inc.terms import LOCATIONS
from service.rules.games.bastards_inc.words.sentences_of_actions import side_payment
from service.rules.games.bastards_inc.words.voice import Voice, fill
from service.rules.kernel import Json, Part, Question


def ask(part: Part, view: Json, language: str, names: Sequence[str]) -> Question:
    """Return the question for a part of an action in a language (English, if unknown), with a label for each value."""
    voice = listener(view, language, names)
    labels = [_none(voice, part) if each is None else _label(voice, view, part, each) for each in part.values]
    places = [_place(_field(part), each) for each in part.values]
    return Question(text=_text(voice, part, ""), labels=tuple(labels), places=tuple(places))


def _text(voice: Voice, part: Part, ending: str) -> str:
    questions = voice.language.questions
    exact, anywhere = f"{part.kind}{part.pointer}", f"{part.kind}{re.sub(r'[0-9]+', '#', part.pointer)}"
    return questions[exact + ending] if exact + ending in questions else questions[anywhere + ending]


def _none(voice: Voice, part: Part) -> str:
    return _text(voice, part, ".none")


def _field(part: Part) -> str:
    return next(step for step in reversed(part.pointer.split("/")) if not step.isdigit())


def _place(field: str, value: Any) -> str | None:
    """Return the name of the place in the picture for which the value stands."""
    return value if field in {"to", "field", "regions"} and value in LOCATIONS else None


def _label(voice: Voice, view: Json, part: Part, value: Any) -> str:
    # A number of somebody else's VP stands below the pointer of its owner.
    field = "delegate" if part.pointer.count("/") > 1 and part.pointer.endswith("/vp") else _field(part)
    return _LABELS[field](voice, view, value)


def _own_vp(voice: Voice, view: Json, number: int) -> str:
    vp = view["companies"][voice.viewer]["vps"][number - 1]
    fields = {
        "vp": voice.vp(number),
        "at": voice.at(vp["at"]),
        "black": voice.number("billions", vp["black"]),
    }
    return fill(voice.language.questions["vp-at.black" if vp["black"] else "vp-at"], fields)


def _bonus(voice: Voice, _: Json, bonus: int) -> str:
    fields = {"n": bonus, "price": voice.price(EFFORT[bonus])}
    return fill(voice.language.questions["bonus" if bonus else "bonus.none"], fields)


def _pay(voice: Voice, _: Json, pay: int) -> str:
    paid = voice.number("billions", abs(pay))
    return fill(voice.language.questions[f"pay{side_payment(pay)}"], {"paid": paid})


def _thing(voice: Voice, _: Json, name: str) -> str:
    return voice.thing(name)


_LABELS: Mapping[str, Callable[[Voice, Json, Any], str]] = {
    **dict.fromkeys(("card", "replaces", "business", "score", "to", "field", "regions"), _thing),
    **dict.fromkeys(("vp", "vps"), _own_vp),
    "delegate": lambda voice, _, number: voice.vp(number),
    "bonus": _bonus,
    "by": lambda voice, _, by: voice.language.questions[f"by.{by}"],
    "influence": lambda voice, _, number: voice.number("influence", number),
    "billions": lambda voice, _, number: voice.number("billions", number),
    "seat": lambda voice, _, seat: voice.name(seat),
    "pay": _pay,
    "instruction": lambda voice, _, name: voice.language.questions[name],
    "setting": lambda voice, _, name: voice.language.questions[f"setting.{name}"],
}
