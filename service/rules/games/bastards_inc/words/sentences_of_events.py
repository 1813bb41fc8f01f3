"""Sentences about what happened, made of nothing but what the viewer may see of it (redact.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from service.rules.games.bastards_inc.terms import REGIONS
from service.rules.games.bastards_inc.words.choices import choices
from service.rules.games.bastards_inc.words.fields_of_events import Fields
from service.rules.games.bastards_inc.words.voice import Voice, signed
from service.rules.kernel import Json

Told = tuple[str, Mapping[str, Any]]
"""What is added to the event's name to find the sentence, and fields of its own."""


def tell_event(voice: Voice, name: str, seen: Json) -> str:
    """Return the sentence on an event by its stored name, from its redacted fields."""
    variant, own = _TELL.get(name, _plainly)(voice, seen)
    return voice.language.events[name + variant].format_map(Fields(voice, seen, own))


def _plainly(_: Voice, __: Json) -> Told:
    return "", {}


def _by_seat(voice: Voice, texts: Sequence[str]) -> str:
    return ", ".join(voice.phrase("held-by", name=voice.name(seat), what=text) for seat, text in enumerate(texts))


def _game_started(voice: Voice, seen: Json) -> Told:
    return "", {"players": voice.number("players", seen["seats"])}


def _plans_dealt(voice: Voice, seen: Json) -> Told:
    plans = _by_seat(voice, [voice.thing(each["plan"]) for each in seen["companies"]])
    rounds = voice.number("rounds", seen["rounds"])
    return "", {"plans": plans, "rounds": rounds, "target": voice.number("billions", seen["target"])}


def _stuff_laid(voice: Voice, seen: Json) -> Told:
    return "", {"stuff": ", ".join(f"{voice.thing(at)} {n}" for at, n in zip(REGIONS, seen["stuff"], strict=True))}


def _piles(voice: Voice, seen: Json) -> Told:
    return "", {kind: voice.number(kind, seen[kind]) for kind in ("cards", "events") if kind in seen}


def _decision_reached(voice: Voice, seen: Json) -> Told:
    names = voice.all_of(voice.person("name", seat) for seat in seen["seats"])
    return "", {"names": names, "phase": voice.language.phases[seen["phase"]]}


def _turn_began(_: Voice, seen: Json) -> Told:
    return (".back" if seen["back"] else ""), {}


def _instruction_given(voice: Voice, seen: Json) -> Told:
    if seen["instruction"] is None:
        return ".hidden", {}
    return "", {"setting": voice.language.settings[f"{seen['instruction']}.{seen['setting']}"]}


def _discard_chosen(_: Voice, seen: Json) -> Told:
    return (".hidden" if seen["card"] is None else ""), {}


def _draw_chosen(voice: Voice, seen: Json) -> Told:
    bonus = seen["bonus"]
    if bonus is None:
        return (".none" if voice.viewer == seen["seat"] else ".hidden"), {}
    return (".bonus" if bonus else ""), {"bonus": bonus}


def _price_paid(voice: Voice, seen: Json) -> Told:
    return "", {"price": voice.price(seen["billions"], seen["influence"])}


def _cards_drawn(voice: Voice, seen: Json) -> Told:
    known = seen["cards"]
    return "", {"cards": voice.cards(known) if known else voice.number("cards", seen["count"])}


def _collection_chosen(_: Voice, seen: Json) -> Told:
    vps = seen["vps"]
    return (".hidden" if vps is None else "" if vps else ".none"), {}


def _arrived(_: Voice, seen: Json) -> Told:
    return ("" if seen["by"] is None else f".{seen['by']}"), {}


def _challenge_answered(_: Voice, seen: Json) -> Told:
    return (".hidden" if seen["fights"] is None else ".fight" if seen["fights"] else ".let"), {}


def _bids_revealed(voice: Voice, seen: Json) -> Told:
    told = (
        voice.phrase("held-by", name=voice.name(each["seat"]), what=_bid(voice, each["influence"]))
        for each in seen["bids"]
    )
    return "", {"bids": ", ".join(told)}


def _bid(voice: Voice, influence: int | None) -> str:
    return voice.phrase("let") if influence is None else voice.number("influence", influence)


def _arrival_repelled(_: Voice, seen: Json) -> Told:
    return ("" if seen["asked"] else ".unasked") + (".home" if seen["home"] else ""), {}


def _worths(voice: Voice, seen: Json) -> str:
    return _by_seat(voice, [voice.number("billions", worth) for worth in seen["worths"]])


def _round_ended(voice: Voice, seen: Json) -> Told:
    return "", {"worths": _worths(voice, seen)}


def _game_ended(voice: Voice, seen: Json) -> Told:
    winners = seen["winners"]
    variant = ".nobody" if not winners else ".shared" if len(winners) > 1 else ""
    names = voice.all_of(voice.name(seat) for seat in winners)
    return f".{seen['reason']}{variant}", {"worths": _worths(voice, seen), "winners": names}


def _event_revealed(voice: Voice, seen: Json) -> Told:
    lasting = ", ".join(lasting_effects(voice, seen))
    return (".lasting" if lasting else ""), {"lasting": lasting}


def lasting_effects(voice: Voice, event: Json) -> Iterator[str]:
    """Yield what an event, as views have it too, declares until the next one (B-40)."""
    for kind in ("famine", "disaster", "amnesty"):
        if event[kind]:
            yield voice.phrase(kind)
    for boom in event["booms"]:
        yield voice.phrase("boom", at=voice.at(boom["region"]), n=signed(boom["billions"]))
    for each in event["thresholds"]:
        fields = {"score": voice.thing(each["score"]), "n": signed(each["higher"])}
        yield voice.phrase("threshold", at=voice.at(each["region"]), **fields)


def _stuff_changed(_: Voice, seen: Json) -> Told:
    return "", {"change": signed(seen["change"])}


def _wars_ordered(voice: Voice, seen: Json) -> Told:
    regions = ", ".join(voice.place(region) for region in seen["regions"])
    return (".one" if len(seen["regions"]) == 1 else ""), {"regions": regions}


def _war_fought(voice: Voice, seen: Json) -> Told:
    fields = {"die": seen["die"], "total": seen["total"], "row": voice.thing(seen["row"])}
    return (".home" if seen["home"] else ""), fields


def _turn_passed(_: Voice, seen: Json) -> Told:
    return ("" if seen["asked"] else ".unasked") + (".done" if seen["done"] and seen["asked"] else ""), {}


def _seat_woken(voice: Voice, seen: Json) -> Told:
    return "", {"cause": voice.phrase(f"woken.{seen['cause']}")}


def _business_turned(_: Voice, seen: Json) -> Told:
    return ("" if seen["from_hand"] else ".again") + (".replaced" if seen["replaced"] else ""), {}


def _act_announced(voice: Voice, seen: Json) -> Told:
    kind = next(kind for kind in ("sell", "deal", "play") if seen[kind])
    act = seen[kind]
    return f".{kind}", {"vp": voice.vp(act["vp"])} if kind == "sell" else {"card": voice.card(act["card"])}


def _exposure_answered(_: Voice, seen: Json) -> Told:
    return (".hidden" if seen["expose"] is None else ".expose" if seen["expose"] else ".silent"), {}


def _act_exposed(voice: Voice, seen: Json) -> Told:
    who, culprit = voice.person("who", seen["journalist"]), voice.person("culprit", seen["seat"])
    home = seen["home"]
    fields = {"who": who, "culprit": culprit}
    if home is None:
        return "", fields
    return ".home", {**fields, "home": voice.vp_of({"seat": seen["seat"], "vp": home})}


def _deal_made(voice: Voice, seen: Json) -> Told:
    if seen["partner"] is None:
        return "", {}
    paid = voice.number("billions", abs(seen["pay"]))
    fields = {"partner": voice.person("with", seen["partner"]["seat"]), "paid": paid}
    return f".venture{_pays(seen['pay'])}", fields


def _pays(pay: int) -> str:
    """Return who pays: the maker of the business, its partner, nobody."""
    return ".pays" if pay > 0 else ".gets" if pay < 0 else ""


def _money_laundered(_: Voice, seen: Json) -> Told:
    return (".stays" if seen["stays"] else ""), {}


def _prize_bought(_: Voice, seen: Json) -> Told:
    return ("" if seen["former"] is None else ".former"), {}


def _venture_offered(voice: Voice, seen: Json) -> Told:
    partner = voice.person("object", seen["partner"]["seat"])
    paid = voice.number("billions", abs(seen["pay"]))
    return _pays(seen["pay"]), {"partner": partner, "paid": paid}


def _card_played(voice: Voice, seen: Json) -> Told:
    chosen = choices(voice, seen["play"])
    return (".with" if chosen else ""), {"card": voice.card(seen["play"]["card"]), "choices": ", ".join(chosen)}


def _score_changed(voice: Voice, seen: Json) -> Told:
    points = voice.number("points", abs(seen["change"]))
    return (".up" if seen["change"] > 0 else ".down"), {"points": points}


_TELL: Mapping[str, Callable[[Voice, Json], Told]] = {
    "game-started": _game_started,
    "plans-dealt": _plans_dealt,
    "stuff-laid": _stuff_laid,
    **dict.fromkeys(("piles-shuffled", "cards-reshuffled", "events-reshuffled"), _piles),
    "decision-reached": _decision_reached,
    "turn-began": _turn_began,
    "instruction-given": _instruction_given,
    "discard-chosen": _discard_chosen,
    "draw-chosen": _draw_chosen,
    "price-paid": _price_paid,
    "cards-drawn": _cards_drawn,
    "collection-chosen": _collection_chosen,
    "vice-president-arrived": _arrived,
    "challenge-answered": _challenge_answered,
    "bids-revealed": _bids_revealed,
    "arrival-repelled": _arrival_repelled,
    "round-ended": _round_ended,
    "game-ended": _game_ended,
    "event-revealed": _event_revealed,
    "stuff-changed": _stuff_changed,
    "wars-ordered": _wars_ordered,
    "war-fought": _war_fought,
    "turn-passed": _turn_passed,
    "seat-woken": _seat_woken,
    "business-turned": _business_turned,
    "act-announced": _act_announced,
    "exposure-answered": _exposure_answered,
    "act-exposed": _act_exposed,
    "deal-made": _deal_made,
    "money-laundered": _money_laundered,
    "prize-bought": _prize_bought,
    "venture-offered": _venture_offered,
    "card-played": _card_played,
    "score-changed": _score_changed,
}
