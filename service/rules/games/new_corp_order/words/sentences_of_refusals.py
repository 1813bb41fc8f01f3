"""Sentences about what the rules do not allow, and what to do instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.new_corp_order.words.voice import Voice, fill
from service.rules.kernel import Illegal


def tell_refusal(voice: Voice, refusal: Illegal) -> str:
    """Return the sentence on a refusal: by its code and rule, by its code, or in general."""
    sentences = voice.language.refusals
    keys = (f"{refusal.code}.{refusal.rule}", refusal.code, "")
    return fill(sentences[next(key for key in keys if key in sentences)], _fields(voice, refusal.facts))


def _fields(voice: Voice, facts: Mapping[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {name: _FACTS[name](voice, fact) for name, fact in facts.items() if name in _FACTS}
    for name, kind in (("held", "cards"), ("unrotated", "cards"), ("left", "agents-listed")):
        if name in facts and "colour" in facts:
            fields[kind.split("-")[0]] = voice.coloured(kind, facts[name], facts["colour"])
    if "hq" in facts:
        fields["in_hq"] = voice.person("in-hq", facts["hq"])
    if "least" in facts and "most" in facts:
        kind = "exactly" if facts["least"] == facts["most"] else "range"
        fields["number"] = voice.phrase(kind, least=facts["least"], most=facts["most"])
    return fields


def _same(_: Voice, fact: Any) -> str:
    return str(fact)


_FACTS: dict[str, Callable[[Voice, Any], str]] = {
    "slot": _same,
    "square": _same,
    "source": _same,
    "target": _same,
    "hq": _same,
    "colour": Voice.colour,
    "colours": Voice.pair,
    "consultant": Voice.consultant,
    "ability": Voice.type,
    "fits": lambda voice, kind: voice.language.kinds[kind],
    "due": lambda voice, phase: voice.language.phases[phase],
}
