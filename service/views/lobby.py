"""The rulesets that can be played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.players.levels import levels_for
from service.rules.kernel import AnyRuleset


def rulesets(known: Mapping[str, AnyRuleset]) -> list[dict[str, Any]]:
    """Return every ruleset with its seats, languages and options, in the order of their names."""
    return [_ruleset(ruleset) for ruleset in known.values()]


def _ruleset(ruleset: AnyRuleset) -> dict[str, Any]:
    meta = ruleset.meta
    return {
        "name": meta.name,
        "revision": meta.revision,
        "title": meta.title,
        "summary": dict(meta.summary),
        "seats": list(meta.seats),
        "languages": list(meta.languages),
        "options": [
            {"name": option.name, "type": option.type, "default": option.default, "text": dict(option.describe)}
            for option in meta.options
        ],
        "computers": [{"seats": seats, "levels": list(levels_for(ruleset, seats))} for seats in meta.seats],
    }
