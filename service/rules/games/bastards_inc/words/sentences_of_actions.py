"""Sentences that ask for an action, addressed to the seat that may choose it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.bastards_inc.edition.numbers import EFFORT, PRIZE_PRICE, VP_PRICE
from service.rules.games.bastards_inc.words.choices import choices
from service.rules.games.bastards_inc.words.voice import Voice, fill
from service.rules.kernel import Json

Told = tuple[str, Mapping[str, Any]]
"""What is added to the tag to find the sentence, and its fields."""


def tell_action(voice: Voice, tag: str, action: Json) -> str:
    """Return the sentence that asks for the action with a tag, from its fields as JSON."""
    variant, fields = _TELL.get(tag, _plainly)(voice, action)
    return fill(voice.language.actions[tag + variant], fields)


def side_payment(pay: int) -> str:
    """Return who pays a side payment: the maker of the business, the partner, nobody."""
    return ".pays" if pay > 0 else ".gets" if pay < 0 else ""


def _plainly(_: Voice, __: Json) -> Told:
    return "", {}


def _drop(voice: Voice, action: Json) -> Told:
    return "", {"card": voice.card(action["card"])}


def _draw(voice: Voice, action: Json) -> Told:
    bonus = action["bonus"]
    price = EFFORT[bonus] if 0 <= bonus < len(EFFORT) else 0
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


_TELL: Mapping[str, Callable[[Voice, Json], Told]] = {
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
