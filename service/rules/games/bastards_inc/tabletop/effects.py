"""What a card does beside its name, and what lasts of an event: wherever they can be chosen or seen."""

from __future__ import annotations

from collections.abc import Iterator

from service.rules.games.bastards_inc.card_texts import card_text
from service.rules.games.bastards_inc.tabletop.words import Speaker
from service.rules.games.bastards_inc.words import speak
from service.rules.games.bastards_inc.words.voice import Voice
from service.rules.kernel import Json


def named(told: Speaker, card: str) -> str:
    """Return a card's name and what it does."""
    return told.word("card", name=told.name(card), effect=card_text(Voice(speak(told.code), None, ()), card))


def lasting(told: Speaker, event: Json) -> Iterator[tuple[str, str]]:
    """Yield the event in force and what lasts of it, each with its icon."""
    yield "icon-event", told.name(event["event"])
    for key, icon in (("famine", "place-pty"), ("disaster", "place-pty"), ("amnesty", "score-cri")):
        if event[key]:
            yield icon, told.word(key)
    for each in event["booms"]:
        yield "billions", told.word("log.boom", region=told.name(each["region"]), n=each["billions"])
    for each in event["thresholds"]:
        names = {"region": told.name(each["region"]), "score": told.name(each["score"])}
        yield f"score-{each['score']}", told.word("log.threshold", n=each["higher"], **names)
