"""What a card does, in a few words: beside its name wherever it can be chosen or seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from service.rules.games.bastards_inc.edition.action_cards import CARD_DATA
from service.rules.games.bastards_inc.edition.businesses import BUSINESS_DATA
from service.rules.games.bastards_inc.tabletop.words import Speaker
from service.rules.games.bastards_inc.terms import ActionCard, Business
from service.rules.kernel import Json


def effect(told: Speaker, card: str) -> str:
    """Return what a card asks for and does."""
    return _business(told, cast(Business, card)) if card in BUSINESS_DATA else _action(told, cast(ActionCard, card))


def named(told: Speaker, card: str) -> str:
    """Return a card's name and what it does."""
    return told.word("card", name=told.name(card), effect=effect(told, card))


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


def _business(told: Speaker, card: Business) -> str:
    data = BUSINESS_DATA[card]
    slots = " + ".join(told.all_of(slot, "or") for slot in data.slots)
    key = "effect.business.one" if len(data.slots) == 1 else "effect.business"
    parts = [told.word(key, score=told.name(data.score), least=data.least, slots=slots, income=data.income)]
    return ", ".join(parts + ([told.word("illegal")] if data.illegal else []))


def _action(told: Speaker, card: ActionCard) -> str:
    data = CARD_DATA[card]
    score = told.word("any-score") if data.score == "any" else told.name(data.score or "")
    key = "effect.stuff.less" if data.kind == "stuff" and data.number < 0 else f"effect.{data.kind}"
    parts = [told.word(key, n=abs(data.number), score=score)]
    if data.cost:
        parts.append(told.counted("costs", data.cost))
    if data.timing == "free":
        parts.append(told.word("free"))
    return ", ".join(parts + ([told.word("illegal")] if data.illegal else []))
