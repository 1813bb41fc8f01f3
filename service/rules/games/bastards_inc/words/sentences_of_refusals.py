"""Sentences about what the rules do not allow, and what to do instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.bastards_inc.words.voice import Voice, fill
from service.rules.kernel import Illegal


def tell_refusal(voice: Voice, refusal: Illegal) -> str:
    """Return the sentence on a refusal: by its code and rule, by its code, or in general."""
    sentences = voice.language.refusals
    keys = (f"{refusal.code}.{refusal.rule}", refusal.code, "")
    return fill(sentences[next(key for key in keys if key in sentences)], _fields(voice, refusal.facts))


def _fields(voice: Voice, facts: Mapping[str, Any]) -> dict[str, str]:
    fields = {name: make(voice, facts[name]) for name, make in _FACTS.items() if name in facts}
    if "price" in facts:
        fields["influence_price"] = voice.number("influence", facts["price"])
    return fields


_FACTS: Mapping[str, Callable[[Voice, Any], str]] = {
    "due": lambda voice, phase: voice.language.phases[phase],
    "price": lambda voice, price: voice.price(price),
    "card": Voice.card,
    "vp": Voice.vp,
}
