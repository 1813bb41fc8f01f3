"""The state of play in sentences, which the table as text and the caption share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from service.rules.games.bastards_inc.words import speak
from service.rules.games.bastards_inc.words.sentences_of_events import lasting_effects
from service.rules.games.bastards_inc.words.voice import Voice, fill
from service.rules.isolation import short
from service.rules.kernel import Json

LONGEST_NAME = 24


def listener(view: Json, language: str, names: Sequence[str], longest: int = LONGEST_NAME) -> Voice:
    """Return the voice that speaks to a view's viewer, with the players' names shortened."""
    own = view["own"]
    return Voice(speak(language), own and own["seat"], [short(name, longest) for name in names])


def said(voice: Voice, key: str, **fields: Any) -> str:
    """Return a text of the table with its fields filled in."""
    return fill(voice.language.table[key], fields)


def state_of_play(voice: Voice, view: Json) -> Iterator[str]:
    """Yield who has won, or the round, who is asked for what, and what is in force or announced."""
    if view["result"] is not None:
        yield _over(voice, view["result"]["winners"])
        return
    start = voice.name(view["start_player"])
    yield said(voice, "round", round=view["round"], rounds=view["rounds"], target=view["target"], name=start)
    yield said(voice, "due", names=asked(voice, view), phase=voice.language.phases[view["phase"]])
    if view["event"] is not None:
        lasting = ", ".join(lasting_effects(voice, view["event"]))
        event = voice.card(view["event"]["event"])
        yield said(voice, "event.lasting" if lasting else "event", event=event, lasting=lasting)
    if view["arrival"] is not None:
        yield _arrival(voice, view["arrival"])
    if view["act"] is not None:
        yield _act(voice, view["act"])


def asked(voice: Voice, view: Json) -> str:
    """Return who is asked."""
    return voice.all_of(voice.person("name", seat) for seat in view["asked"])


def _over(voice: Voice, winners: Sequence[int]) -> str:
    names = voice.all_of(voice.name(seat) for seat in winners)
    key = "shared" if len(winners) > 1 else "over" if winners else "nobody"
    # The dots of a shortened name end the sentence as well.
    return said(voice, key, winners=names).replace("….", "…")


def _arrival(voice: Voice, arrival: Json) -> str:
    fields = {"vp": voice.vp_of(arrival), "at": voice.at(arrival["field"])}
    if arrival["bids"] is None:
        return said(voice, "arrival", **fields)
    return said(voice, "arrival.bids", influence=voice.number("influence", arrival["bids"]), **fields)


def _act(voice: Voice, act: Json) -> str:
    name = voice.name(act["seat"])
    if act["sell"] is not None:
        return said(voice, "act.sell", name=name, vp=voice.vp(act["sell"]["vp"]))
    return said(voice, "act.card", name=name, card=voice.card((act["deal"] or act["play"])["card"]))
