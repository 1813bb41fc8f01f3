"""The state of play in sentences, which the table as text and the table as a picture share."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.games.new_corp_order.letters import TYPE_LETTERS
from service.rules.games.new_corp_order.words import speak
from service.rules.games.new_corp_order.words.voice import Voice, fill
from service.rules.isolation import short
from service.rules.kernel import Json

LONGEST_NAME = 24
UNBROKEN = "\u00a0"
"""Stands for a space at which no line may end."""


def listener(view: Json, language: str, names: Sequence[str], longest: int = LONGEST_NAME) -> Voice:
    """Return the voice that speaks to a view's viewer, with the players' names shortened."""
    you = view["you"]
    return Voice(speak(language), you and you["seat"], [short(name, longest) for name in names])


def state_of_play(voice: Voice, view: Json) -> list[str]:
    """Return who won and with what, or who is to do what and what else is special about the turn."""
    turn, result = view["turn"], view["result"]
    if result is not None:
        unbroken = (each.replace(" ", UNBROKEN) for each in scores(voice, result["scores"]))
        return [_winners(voice, result["winners"]), ", ".join(unbroken)]
    said = [_who_is_to_do_what(voice, view)]
    if turn["phase"] == "ability" and turn["taken_over"]:
        kind = next(each["type"] for each in view["grid"]["companies"] if each["square"] == turn["taken_over"])
        what = {"square": turn["taken_over"], "type": f"{voice.type(kind)} ({TYPE_LETTERS[kind]})"}
        said.append(fill(label(voice, "ability"), what))
    if turn["phase"] == "placement":
        said.append(after(voice, "to-place", voice.colours(turn["to_place"])))
    if turn["used"]:
        said.append(fill(label(voice, "used"), {"consultant": voice.consultant(turn["used"])}))
    left = final_round(voice, view)
    return [*said, left] if left else said


def final_round(voice: Voice, view: Json) -> str | None:
    """Return how many turns are left once the end is triggered."""
    left = view["turn"]["final_turns"]
    if left is None or view["result"] is not None:
        return None
    notice = fill(label(voice, "final"), {"turns": voice.number("turns", left)})
    return notice if left else label(voice, "last")


def scores(voice: Voice, points: Sequence[int]) -> list[str]:
    """Return each seat's victory points."""
    return [after_name(voice, voice.name(seat), voice.number("points", score)) for seat, score in enumerate(points)]


def phase(voice: Voice, view: Json) -> str:
    """Return what is to be done."""
    return voice.language.phases[view["turn"]["phase"]]


def objectives(view: Json) -> Sequence[str] | None:
    """Return the objectives that count for the reader, None if they are unknown."""
    own: Sequence[str] | None = (view["solo"] or view["you"] or {"objectives": None})["objectives"]
    return own


def label(voice: Voice, key: str) -> str:
    """Return a heading or pattern of the table."""
    return voice.language.table[key]


def after(voice: Voice, key: str, text: str) -> str:
    """Return a text after its heading."""
    return after_name(voice, label(voice, key), text)


def after_name(voice: Voice, name: str, text: str) -> str:
    """Return a text after the name of the thing to which it belongs."""
    return voice.phrase("held-by", name=name, what=text)


def named(voice: Voice, seat: int, longest: int = LONGEST_NAME) -> str:
    """Return the name of the seat's player, marked if it is the reader."""
    return short(voice.name(seat), longest) + (f" ({label(voice, 'you')})" if seat == voice.viewer else "")


def _winners(voice: Voice, winners: Sequence[int]) -> str:
    key = "shared" if len(winners) > 1 else "over"
    told = fill(label(voice, key), {"winners": voice.all_of(voice.name(seat) for seat in winners)})
    # The dots of a shortened name end the sentence as well.
    return told.replace("….", "…")


def _who_is_to_do_what(voice: Voice, view: Json) -> str:
    turn = view["turn"]
    key = "turn" if turn["number"] else "before"
    fields = {"turn": turn["number"], "name": named(voice, turn["seat"]), "phase": phase(voice, view)}
    return fill(label(voice, key), fields)
