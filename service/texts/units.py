"""The unit in which a game takes its course: turns, or what the game's contributions call it."""

from __future__ import annotations

from service.rules.kernel import AnyRuleset
from service.texts.catalog import chosen, count, say
from service.texts.names import in_language


def unit_named(ruleset: AnyRuleset, language: str) -> str:
    """Return the name of the unit as a heading: `Turn`, `Round`."""
    unit = ruleset.contributions.unit
    return in_language(unit, language).name if unit else say(language, "chart-turn")


def numbered(ruleset: AnyRuleset, number: int | str, language: str) -> str:
    """Return the unit with its number, as it stands within a sentence: `turn 3`, `round 3`."""
    unit = ruleset.contributions.unit
    if not unit:
        return say(language, "table-turn", number=number)
    return in_language(unit, language).numbered.format(number=number)


def headed(ruleset: AnyRuleset, number: int | str, language: str) -> str:
    """Return the unit with its number as a heading: `Turn 3`, `Round 3`."""
    words = numbered(ruleset, number, language)
    return words[:1].upper() + words[1:]


def counted(ruleset: AnyRuleset, number: int, language: str) -> str:
    """Return so many units in words: `1 turn`, `7 rounds`."""
    unit = ruleset.contributions.unit
    if not unit:
        return count(language, "table-turns", number)
    return chosen(language, in_language(unit, language).counted, number)
