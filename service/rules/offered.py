"""The order in which games are offered."""

from __future__ import annotations

from collections.abc import Mapping

from service.rules.kernel import AnyRuleset


def in_order(rulesets: Mapping[str, AnyRuleset]) -> dict[str, AnyRuleset]:
    """Return rulesets by name: by `Meta.place`, and then by their names."""
    return dict(sorted(rulesets.items(), key=lambda each: (each[1].meta.place, each[0])))
