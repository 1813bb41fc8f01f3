"""Sentences about events, actions, refusals and cards, and the questions for the parts of an action.

A sentence about an event is made of what `redact` shows the viewer, and of nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from service.rules.games.bastards_inc.actions import ACTION_TYPES, Action
from service.rules.games.bastards_inc.edition import (
    BUSINESS_DATA,
    CARD_DATA,
    EFFORT_PRICES,
    PRIZE_PRICE,
    VP_PRICE,
    BusinessData,
    CardData,
)
from service.rules.games.bastards_inc.events import EVENT_TYPES, Event
from service.rules.games.bastards_inc.redact import redact
from service.rules.games.bastards_inc.terms import LOCATIONS, REGIONS
from service.rules.games.bastards_inc.view import as_json
from service.rules.games.bastards_inc.words import speak, voice_for
from service.rules.games.bastards_inc.words.language import UNKNOWN, Voice, fill, signed
from service.rules.kernel import GameStarted, Illegal, Json, Part, Question


def describe(
    thing: Event | GameStarted | Action | type[Action] | Illegal,
    viewer: int | None,
    language: str,
    names: Sequence[str],
) -> str:
    """Return a sentence in the language (English, if unknown), or the name of a kind of action.

    `names` are the players' display names by seat. Of an event the sentence knows only what `redact` shows the viewer;
    an action is described to the seat that may choose it, a refusal to the seat that asked.
    """
    voice = Voice(speak(language), viewer, names)
    if isinstance(thing, type):
        return voice.language.kinds[_TAGS[thing]]
    return _TELL[type(thing)](voice, thing)


def address(event: Event | GameStarted, seat: int, language: str, names: Sequence[str]) -> str:
    """Return the spectators' sentence about an event, spoken to the seat."""
    return tell_event(Voice(speak(language), seat, names), _EVENT_NAMES[type(event)], redact(event, None))


def _tell_event(voice: Voice, event: Event | GameStarted) -> str:
    return tell_event(voice, _EVENT_NAMES[type(event)], redact(event, voice.viewer))


def _tell_action(voice: Voice, action: Action) -> str:
    return tell_action(voice, _TAGS[type(action)], as_json(action))


# Events.

Told = tuple[str, Mapping[str, Any]]
"""The suffix to the name of the event or action that finds the sentence, and the sentence's own fields."""


def tell_event(voice: Voice, name: str, seen: Json) -> str:
    """Return the sentence on an event by its stored name, from its redacted fields."""
    variant, own = _EVENT_SENTENCES.get(name, _plainly)(voice, seen)
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
    """Yield the effects that last until the next event (B-40)."""
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
    return f".venture{side_payment(seen['pay'])}", fields


def _money_laundered(_: Voice, seen: Json) -> Told:
    return (".stays" if seen["stays"] else ""), {}


def _prize_bought(_: Voice, seen: Json) -> Told:
    return ("" if seen["former"] is None else ".former"), {}


def _venture_offered(voice: Voice, seen: Json) -> Told:
    partner = voice.person("object", seen["partner"]["seat"])
    paid = voice.number("billions", abs(seen["pay"]))
    return side_payment(seen["pay"]), {"partner": partner, "paid": paid}


def _card_played(voice: Voice, seen: Json) -> Told:
    chosen = choices(voice, seen["play"])
    return (".with" if chosen else ""), {"card": voice.card(seen["play"]["card"]), "choices": ", ".join(chosen)}


def _score_changed(voice: Voice, seen: Json) -> Told:
    points = voice.number("points", abs(seen["change"]))
    return (".up" if seen["change"] > 0 else ".down"), {"points": points}


_EVENT_SENTENCES: Mapping[str, Callable[[Voice, Json], Told]] = {
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


class Fields(dict[str, Any]):
    """Fields of a sentence, made on demand: each sentence uses few."""

    def __init__(self, voice: Voice, seen: Json, own: Mapping[str, Any]) -> None:
        super().__init__(own)
        self._voice, self._seen = voice, seen

    def __missing__(self, field: str) -> str:
        make, of = _FIELDS.get(field, (None, field))
        if make is None or self._seen.get(of) is None:
            return UNKNOWN
        return make(self._voice, self._seen[of])


def _person(form: str) -> Callable[[Voice, int], str]:
    return lambda voice, seat: voice.person(form, seat)


def _counted(kind: str) -> Callable[[Voice, int], str]:
    return lambda voice, n: voice.number(kind, n)


_FIELDS: Mapping[str, tuple[Callable[[Voice, Any], str], str]] = {
    "who": (_person("who"), "seat"),
    "is": (_person("is"), "seat"),
    "name": (_person("name"), "seat"),
    "turn": (_person("turn"), "seat"),
    "invitation": (_person("invitation"), "seat"),
    "to": (_person("to"), "to"),
    "victim_seat": (_person("from"), "victim"),
    "victim_vp": (Voice.vp_of, "victim"),
    "host": (_person("of"), "host"),
    "former": (_person("from"), "former"),
    "partner_vp": (Voice.vp_of, "partner"),
    "vp": (Voice.vp, "vp"),
    "vps": (Voice.vps, "vps"),
    "home": (Voice.vps_of, "home"),
    "to_field": (Voice.to, "field"),
    "at_field": (Voice.at, "field"),
    "at_region": (Voice.at, "region"),
    "at_square": (Voice.at, "square"),
    "billions": (_counted("billions"), "billions"),
    "influence": (_counted("influence"), "influence"),
    "income": (_counted("billions"), "income"),
    "score": (Voice.thing, "score"),
    "card": (Voice.card, "card"),
    "replaced": (Voice.card, "replaced"),
    "cards": (Voice.cards, "cards"),
    "event": (Voice.card, "event"),
    "round": (lambda _, number: str(number), "round"),
}
"""Formatter of each field of a sentence, and the field of the event that it reads."""


# Actions, addressed to the seat that may choose them.


def tell_action(voice: Voice, tag: str, action: Json) -> str:
    """Return the sentence that asks for the action with a tag, from its fields as JSON."""
    variant, fields = _ACTION_SENTENCES.get(tag, _plainly)(voice, action)
    return fill(voice.language.actions[tag + variant], fields)


def side_payment(pay: int) -> str:
    """Return the suffix for a side payment: paid by the maker, by the partner, by nobody."""
    return ".pays" if pay > 0 else ".gets" if pay < 0 else ""


def _drop(voice: Voice, action: Json) -> Told:
    return "", {"card": voice.card(action["card"])}


def _draw(voice: Voice, action: Json) -> Told:
    bonus = action["bonus"]
    price = EFFORT_PRICES[bonus] if 0 <= bonus < len(EFFORT_PRICES) else 0
    return (".bonus" if bonus else ""), {"bonus": bonus, "price": voice.price(price)}


def _collect(voice: Voice, action: Json) -> Told:
    return ("" if action["vps"] else ".none"), {"vps": voice.vps(action["vps"])}


def _place(voice: Voice, action: Json) -> Told:
    fields = {"to_place": voice.to(action["to"]), "at_place": voice.at(action["to"])}
    return ("" if action["by"] is None else f".{action['by']}"), fields


def _fight(voice: Voice, action: Json) -> Told:
    return "", {"influence": voice.number("influence", action["influence"])}


def _order_wars(voice: Voice, action: Json) -> Told:
    return "", {"regions": ", ".join(voice.place(region) for region in action["regions"])}


def _deal(voice: Voice, action: Json) -> Told:
    replaces, partner = action["replaces"], action["partner"]
    fields = {
        "card": voice.card(action["card"]),
        "vps": voice.vps(action["vps"]),
        "replacing": "" if replaces is None else voice.phrase("replacing", card=voice.card(replaces)),
    }
    if partner is None:
        return "", fields
    return f".venture{side_payment(action['pay'])}", {**fields, **_partner(voice, action)}


def _invite(voice: Voice, action: Json) -> Told:
    fields = {"card": voice.card(action["card"]), "vp": voice.vp(action["vp"])}
    return side_payment(action["pay"]), {**fields, **_partner(voice, action)}


def _partner(voice: Voice, action: Json) -> dict[str, str]:
    paid = voice.number("billions", abs(action["pay"]))
    return {"partner_vp": voice.vp_of(action["partner"]), "paid": paid}


def _with_vp(voice: Voice, action: Json) -> Told:
    return "", {"vp": voice.vp(action["vp"])}


def _hire(voice: Voice, _: Json) -> Told:
    return "", {"price": voice.price(VP_PRICE)}


def _buy_prize(voice: Voice, _: Json) -> Told:
    return "", {"price": voice.number("influence", PRIZE_PRICE)}


def _play(voice: Voice, action: Json) -> Told:
    chosen = choices(voice, action)
    return (".with" if chosen else ""), {"card": voice.card(action["card"]), "choices": ", ".join(chosen)}


def _give(voice: Voice, action: Json) -> Told:
    receiver = voice.person("to", action["seat"])
    return "", {"receiver": receiver, "billions": voice.number("billions", action["billions"])}


def _answer(voice: Voice, action: Json) -> Told:
    return "", {"host": voice.person("of", action["seat"])}


def _instruct(voice: Voice, action: Json) -> Told:
    return "", {"set_to": voice.language.settings.get(f"{action['instruction']}.{action['setting']}", "?")}


_ACTION_SENTENCES: Mapping[str, Callable[[Voice, Json], Told]] = {
    "drop": _drop,
    "draw": _draw,
    "collect": _collect,
    "place": _place,
    "fight": _fight,
    "order-wars": _order_wars,
    "deal": _deal,
    "invite": _invite,
    **dict.fromkeys(("launder", "sell", "campaign"), _with_vp),
    "hire": _hire,
    "buy-prize": _buy_prize,
    "play": _play,
    "give": _give,
    **dict.fromkeys(("agree", "decline"), _answer),
    "instruct": _instruct,
}


def choices(voice: Voice, play: Json) -> list[str]:
    """Return the choices made with an action card as parts of a sentence."""
    made = (
        ("vp", voice.vp),
        ("target", voice.vp_of),
        ("seat", lambda seat: voice.person("against", seat)),
        ("score", voice.thing),
        ("field", voice.place),
        ("business", voice.card),
    )
    return [make(play[name]) for name, make in made if play.get(name) is not None]


# Refusals.


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


# Cards in a few words (B-58, B-75).

_BUSINESSES: Mapping[str, BusinessData] = dict(BUSINESS_DATA.items())
_ACTION_CARDS: Mapping[str, CardData] = dict(CARD_DATA.items())


def card_text(voice: Voice, card: str) -> str:
    """Return the needs and income of a business, or the effect of an action card."""
    effects = voice.language.effects
    if card in _BUSINESSES:
        business = _BUSINESSES[card]
        slots = " + ".join("/".join(slot) for slot in business.slots)
        fields = {"score": voice.thing(business.score), "least": business.least, "slots": slots, "n": business.income}
        return ", ".join([fill(effects["business"], fields), *([effects["illegal"]] if business.illegal else [])])
    data = _ACTION_CARDS[card]
    number = signed(data.number) if data.kind == "stuff" else data.number
    key = f"{data.kind}.any" if data.score == "any" else data.kind
    parts = [fill(effects[key], {"n": number, "score": voice.thing(data.score or "")})]
    if data.cost:
        parts.append(fill(effects["costs"], {"price": voice.price(data.cost)}))
    parts += [effects["free"]] if data.timing == "free" else []
    parts += [effects["illegal"]] if data.illegal else []
    return ", ".join(parts)


# Questions for the parts of an action, with labels for the answers.


def ask(part: Part, view: Json, language: str, names: Sequence[str]) -> Question:
    """Return the question for a part of an action, and a label for each value; English, if the language is unknown."""
    voice = voice_for(view, language, names)
    labels = [_text(voice, part, ".none") if each is None else _label(voice, view, part, each) for each in part.values]
    places = [_place_of(_field(part), each) for each in part.values]
    return Question(text=_text(voice, part, ""), labels=tuple(labels), places=tuple(places))


def _text(voice: Voice, part: Part, ending: str) -> str:
    questions = voice.language.questions
    exact, anywhere = f"{part.kind}{part.pointer}", f"{part.kind}{re.sub(r'[0-9]+', '#', part.pointer)}"
    return questions[exact + ending] if exact + ending in questions else questions[anywhere + ending]


def _field(part: Part) -> str:
    return next(step for step in reversed(part.pointer.split("/")) if not step.isdigit())


def _place_of(field: str, value: Any) -> str | None:
    """Return the place on the board that stands for the value."""
    return value if field in {"to", "field", "regions"} and value in LOCATIONS else None


def _label(voice: Voice, view: Json, part: Part, value: Any) -> str:
    # A number of somebody else's VP stands below the pointer of its owner.
    field = "delegate" if part.pointer.count("/") > 1 and part.pointer.endswith("/vp") else _field(part)
    return _LABELS[field](voice, view, value)


def _own_vp(voice: Voice, view: Json, number: int) -> str:
    vp = view["companies"][voice.viewer]["vps"][number - 1]
    fields = {
        "vp": voice.vp(number),
        "at": voice.at(vp["at"]),
        "black": voice.number("billions", vp["black"]),
    }
    return fill(voice.language.questions["vp-at.black" if vp["black"] else "vp-at"], fields)


def _bonus(voice: Voice, _: Json, bonus: int) -> str:
    fields = {"n": bonus, "price": voice.price(EFFORT_PRICES[bonus])}
    return fill(voice.language.questions["bonus" if bonus else "bonus.none"], fields)


def _pay(voice: Voice, _: Json, pay: int) -> str:
    paid = voice.number("billions", abs(pay))
    return fill(voice.language.questions[f"pay{side_payment(pay)}"], {"paid": paid})


def _thing(voice: Voice, _: Json, name: str) -> str:
    return voice.thing(name)


_LABELS: Mapping[str, Callable[[Voice, Json, Any], str]] = {
    **dict.fromkeys(("card", "replaces", "business", "score", "to", "field", "regions"), _thing),
    **dict.fromkeys(("vp", "vps"), _own_vp),
    "delegate": lambda voice, _, number: voice.vp(number),
    "bonus": _bonus,
    "by": lambda voice, _, by: voice.language.questions[f"by.{by}"],
    "influence": lambda voice, _, number: voice.number("influence", number),
    "billions": lambda voice, _, number: voice.number("billions", number),
    "seat": lambda voice, _, seat: voice.name(seat),
    "pay": _pay,
    "instruction": lambda voice, _, name: voice.language.questions[name],
    "setting": lambda voice, _, name: voice.language.questions[f"setting.{name}"],
}


_EVENT_NAMES: Mapping[type[Any], str] = {GameStarted: "game-started"} | {
    kind: name for name, kind in EVENT_TYPES.items()
}
_TAGS: Mapping[type[Any], str] = {kind: tag for tag, kind in ACTION_TYPES.items()}


_TELL: Mapping[type[Any], Callable[[Voice, Any], str]] = {
    **dict.fromkeys(_EVENT_NAMES, _tell_event),
    **dict.fromkeys(_TAGS, _tell_action),
    Illegal: tell_refusal,
}
