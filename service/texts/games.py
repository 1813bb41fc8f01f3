"""Words about a game that its ruleset does not say itself: language, title, unit of its course, pace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

from service.rules.kernel import AnyRuleset, Meta
from service.rules.pace import Pace, pace_name
from service.rules.table_parts import Unit
from service.texts.catalog import count, plural_form, say
from service.texts.locales import languages_named
from service.texts.when import duration_text, zone_text

Texts = TypeVar("Texts", str, tuple[str, ...], Unit)

PACE_NAMES: Final = ("none", "weekly", "daily", "brisk", "live")
"""The names of the paces, from the slowest to the fastest: `none` is no clock, the others are in PACES."""


def only_in(meta: Meta, language: str) -> str | None:
    """Return the sentence that says in which languages a game is, for readers of a language that it does not have.

    None for readers of the others. It stands where the game's own words begin.
    """
    if language in meta.languages:
        return None
    return say(language, "only-in", languages=languages_named(meta.languages, language))


def game_language(meta: Meta, *wishes: str | None) -> str:
    """Return the first of the wished languages that the game has, or else the game's first."""
    return next((wish for wish in wishes if wish in meta.languages), meta.languages[0])


def in_language(texts: Mapping[str, Texts], language: str) -> Texts:
    """Return what a game says in the language, or else in the first that it has."""
    return texts.get(language) or next(iter(texts.values()))


def full_title(meta: Meta, options: Mapping[str, object], language: str) -> str:
    """Return the name of a game with the options that were chosen, such as "New Corp Order (Deluxe)"."""
    chosen = [
        in_language(each.title, language) if each.title else each.name.replace("-", " ")
        for each in meta.options
        if options.get(each.name) is True
    ]
    return f"{meta.title} ({', '.join(chosen)})" if chosen else meta.title


def automaton_name(meta: Meta, seats: int, language: str) -> str | None:
    """Return the name of the opponent that the service plays with this number of players; None if there is none."""
    names = meta.automata.get(seats)
    return None if names is None else in_language(names, language)


def unit_name(ruleset: AnyRuleset, language: str) -> str:
    """Return the name of the unit as a heading: `Turn`, `Round`."""
    unit = ruleset.contributions.unit
    return in_language(unit, language).name if unit else say(language, "chart-turn")


def unit_number(ruleset: AnyRuleset, number: int | str, language: str) -> str:
    """Return the unit with its number, as it stands within a sentence: `turn 3`, `round 3`."""
    unit = ruleset.contributions.unit
    if not unit:
        return say(language, "table-turn", number=number)
    return in_language(unit, language).numbered.format(number=number)


def unit_heading(ruleset: AnyRuleset, number: int | str, language: str) -> str:
    """Return the unit with its number as a heading: `Turn 3`, `Round 3`."""
    words = unit_number(ruleset, number, language)
    return words[:1].upper() + words[1:]


def unit_count(ruleset: AnyRuleset, number: int, language: str) -> str:
    """Return so many units in words: `1 turn`, `7 rounds`."""
    unit = ruleset.contributions.unit
    if not unit:
        return count(language, "table-turns", number)
    return plural_form(language, in_language(unit, language).counted, number)


def pace_text(language: str, pace: Pace | None) -> str:
    """Return the times of a pace in a sentence, and one more for each term that is not as usual; None: no clock."""
    if pace is None:
        return say(language, "pace-none-text")
    sentences = [times_text(language, pace)]
    if pace.weekdays is not None:
        sentences.append(say(language, "pace-weekdays", zone=zone_text(language, pace.weekdays)))
    if pace.on_lapse != "stand-in":
        sentences.append(lapse_text(language, pace))
    if not pace.away:
        sentences.append(say(language, "pace-no-away"))
    if not pace.take_back:
        sentences.append(say(language, "pace-no-take-back"))
    return " ".join(sentences)


def full_pace_text(language: str, pace: Pace) -> str:
    """Return `pace_text` with what follows a lapse in any case, also where it is as usual."""
    said = pace_text(language, pace)
    return f"{said} {lapse_text(language, pace)}" if pace.on_lapse == "stand-in" else said


def times_text(language: str, pace: Pace) -> str:
    """Return the four times of a pace in a sentence, after its name if it has one."""
    free, bank, credit, cap = (
        duration_text(language, seconds) for seconds in (pace.free, pace.bank, pace.credit, pace.cap)
    )
    grows = bool(pace.credit and pace.cap)
    with_free = "pace-free-bank" if pace.bank or grows else "pace-free"
    times = say(language, with_free if pace.free else "pace-bank", free=free, bank=bank)
    named = pace_name(pace)
    if named is not None:
        times = say(language, "pace-named", name=say(language, f"pace-{named}"), times=times)
    return say(language, "pace-credit" if grows else "pace-fixed", times=times, credit=credit, cap=cap)


def lapse_text(language: str, pace: Pace) -> str:
    """Return in a sentence what happens if the time of a seat is up."""
    return say(language, f"pace-lapse-{pace.on_lapse}")
