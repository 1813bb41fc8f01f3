"""The table as a picture for a mail or a page, drawn from a view alone (classes: README.md)."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.games.new_corp_order.caption import caption
from service.rules.games.new_corp_order.paint_grid import grid
from service.rules.games.new_corp_order.paint_hq import hqs
from service.rules.games.new_corp_order.paint_look import LEGIBLE, look
from service.rules.games.new_corp_order.paint_pieces import CRISP
from service.rules.games.new_corp_order.paint_table import cards, own
from service.rules.games.new_corp_order.state_of_play import final_round, listener, objectives, state_of_play
from service.rules.games.new_corp_order.words.voice import Voice
from service.rules.kernel import Json
from service.rules.lettering import wrapped
from service.rules.svg import BOLD, PicturePart, element, group, line_of, picture, stacked

WIDTH = 584.0
GAP = 12.0
LINE = 24.0


def paint(view: Json, language: str, names: Sequence[str]) -> str:
    """Return what a view shows as SVG: state of play, grid, cards, own hand, HQs; 600 units wide, as high as it takes.

    `names` are the players' display names by seat. All that the notation names is a group of class `square` whose
    `data-place` is that name: a company, a display slot, the deck, an HQ.
    """
    voice = listener(view, language, names)
    whole = stacked(
        [
            _state_of_play(voice, view),
            grid(voice, view, objectives(view) or ()),
            cards(voice, view),
            own(voice, view),
            hqs(voice, view),
        ],
        GAP,
    )
    paper = element("rect", x=-8, y=-8, width=WIDTH + 16, height=whole.height + 16, **CRISP, **look("paper"))
    return picture(caption(view, language, names), (-8, -8, WIDTH + 16, whole.height + 16), paper, whole.svg)


def _state_of_play(voice: Voice, view: Json) -> PicturePart:
    final = final_round(voice, view)
    drawn, y = [], 0.0
    for sentence in state_of_play(voice, view)[: 1 if view["result"] else None]:
        heavy = view["result"] is not None or sentence == final
        looks = BOLD | look("mark") if heavy else look("ink")
        for line in wrapped(sentence, WIDTH, LEGIBLE, heavy):
            y += LINE
            drawn.append(line_of(line, 0, y - 5, size=LEGIBLE, looks=looks))
    return PicturePart(group(drawn), y)
