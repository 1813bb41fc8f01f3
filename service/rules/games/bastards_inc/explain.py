"""Explain the standings: the worth of each company and its parts (B-81, B-82), from the fields of `standings` alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from service.rules.games.bastards_inc.words import speak
from service.rules.games.bastards_inc.words.language import Voice
from service.rules.kernel import Json, Section


def explain(told: Json, viewer: int | None, language: str, names: Sequence[str]) -> tuple[Section, ...]:
    """Return the standings as one section in a language (English, if unknown): the worth of all, and who is ahead."""
    voice = Voice(speak(language), viewer, names)
    head = tuple(_say(voice, key) for key in ("player", "billions", "influence", "prize", "worth"))
    rows = tuple(_row(voice, each) for each in told["companies"])
    return (Section(title=_say(voice, "title"), head=head, rows=rows, lines=tuple(_lines(voice, told))),)


def _row(voice: Voice, each: Json) -> tuple[str, ...]:
    numbers = (each[key] for key in ("billions", "influence", "prize", "worth"))
    return (voice.name(each["seat"]), *map(str, numbers))


def _lines(voice: Voice, told: Json) -> Iterator[str]:
    companies, winners = told["companies"], told["winners"]
    names = voice.all_of(_name(voice, seat) for seat in winners)
    yield _say(voice, "rule")
    if told["reason"] == "nuclear-war":
        yield _say(voice, "bunker" if winners else "nuclear", names=names)
        return
    best = max(each["worth"] for each in companies)
    yield _say(voice, "ahead", names=names, worth=best)
    if sum(each["worth"] == best for each in companies) > 1:
        yield _say(voice, "level", worth=best)
    if len(winners) > 1:
        yield _say(voice, "shared")


def _say(voice: Voice, key: str, **fields: Any) -> str:
    return voice.language.explanations[key].format(**fields)


def _name(voice: Voice, seat: int) -> str:
    name = voice.name(seat)
    return _say(voice, "named-you", name=name) if seat == voice.viewer else name
