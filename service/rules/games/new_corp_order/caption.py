"""The position in one sentence, for readers without pictures."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.games.new_corp_order.paint_grid import control
from service.rules.games.new_corp_order.state_of_play import label, listener, phase, scores
from service.rules.games.new_corp_order.terms import COLOURS
from service.rules.games.new_corp_order.words.voice import Voice, fill
from service.rules.kernel import Json

LONGEST = 250
NAMES = (24, 12, 6)
"""How long players' names may be: as long as there is room."""


def caption(view: Json, language: str, names: Sequence[str]) -> str:
    """Return one sentence of at most 250 characters on what a view shows."""
    said = (_said(listener(view, language, names, longest), view) for longest in NAMES)
    return next(sentence for sentence in said if len(sentence) <= LONGEST)


def _said(voice: Voice, view: Json) -> str:
    turn, result = view["turn"], view["result"]
    if result is not None:
        winners = voice.all_of(voice.name(seat) for seat in result["winners"])
        fields = {"winners": winners, "scores": ", ".join(scores(voice, result["scores"]))}
        return fill(label(voice, "caption.over"), fields)
    held = control(view)
    fields = {
        "turn": turn["number"],
        "name": voice.name(turn["seat"]),
        "phase": phase(voice, view),
        "companies": ", ".join(f"{voice.colour(colour)} {held[colour]}" for colour in COLOURS),
        "cards": voice.number("cards", view["deck"]),
    }
    return fill(label(voice, "caption" if turn["number"] else "caption.before"), fields)
