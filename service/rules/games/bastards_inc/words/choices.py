"""What is chosen with an action card, as parts of a sentence."""

from __future__ import annotations

from service.rules.games.bastards_inc.words.voice import Voice
from service.rules.kernel import Json


def choices(voice: Voice, play: Json) -> list[str]:
    """Return what the fields of a played card name: VPs, a seat, a score, a field, a business."""
    made = (
        ("vp", voice.vp),
        ("target", voice.vp_of),
        ("seat", lambda seat: voice.person("against", seat)),
        ("score", voice.thing),
        ("field", voice.place),
        ("business", voice.card),
    )
    return [make(play[name]) for name, make in made if play.get(name) is not None]
