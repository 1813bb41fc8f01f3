"""The position in one sentence, for readers without pictures."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.games.bastards_inc.state_of_play import asked, listener, said
from service.rules.games.bastards_inc.words.voice import Voice
from service.rules.kernel import Json

LONGEST = 250
NAMES = (24, 12, 6, 3)
"""How long players' names may be: as long as there is room."""


def caption(view: Json, language: str, names: Sequence[str]) -> str:
    """Return one sentence of at most 250 characters on what a view shows."""
    sentences = (_said(listener(view, language, names, longest), view) for longest in NAMES)
    return next(sentence for sentence in sentences if len(sentence) <= LONGEST)


def _said(voice: Voice, view: Json) -> str:
    result = view["result"]
    if result is None:
        return said(
            voice,
            "caption",
            round=view["round"],
            rounds=view["rounds"],
            names=asked(voice, view),
            phase=voice.language.phases[view["phase"]],
            worths=_worths(voice, [each["worth"] for each in view["companies"]]),
            wars=", ".join(map(voice.place, view["wars"])) or "–",
        )
    if not result["winners"]:
        return said(voice, "caption.nobody")
    winners = voice.all_of(voice.name(seat) for seat in result["winners"])
    return said(voice, "caption.over", winners=winners, worths=_worths(voice, result["worths"]))


def _worths(voice: Voice, worths: Sequence[int]) -> str:
    return ", ".join(f"{voice.name(seat)} {worth}" for seat, worth in enumerate(worths))
