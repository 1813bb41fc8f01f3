"""What lies beside the grid as a picture: display, deck, supply, and what is in the viewer's hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from service.rules.games.new_corp_order.letters import DECK
from service.rules.games.new_corp_order.paint_icons import icon
from service.rules.games.new_corp_order.paint_look import LEGIBLE, look
from service.rules.games.new_corp_order.paint_pieces import (
    CARD,
    END,
    MIDDLE,
    card,
    card_back,
    card_gap,
    consultant_named,
    stock,
)
from service.rules.games.new_corp_order.state_of_play import label
from service.rules.games.new_corp_order.terms import ALL_CONSULTANTS, COLOURS, SLOTS, Colour, CompanyType
from service.rules.games.new_corp_order.words.voice import Voice, of_colour
from service.rules.kernel import Json
from service.rules.lettering import width_of
from service.rules.svg import BOLD, PicturePart, Svg, flowing, group, line_of, moved, place

HEADING = 24.0
STEP = 50.0
ASIDE = 316.0
"""Where the right-hand part of a row begins."""
WIDTH = 584.0
ASIDE_WIDTH = 268.0


def heading(text: str, width: float = 0) -> Svg:
    """Return the heading of a part of the table."""
    return line_of(text.replace("(*)", "★"), 0, 16, size=LEGIBLE, width=width, looks=BOLD | look("faint"))


def cards(voice: Voice, view: Json) -> PicturePart:
    """Return display and deck, and beside them the supply."""
    supply = _supply(voice, view)
    drawn = group([*_display(voice, view["display"]), _deck(voice, view["deck"]), moved(ASIDE, 0, supply.svg)])
    return PicturePart(drawn, max(HEADING + CARD[1] + 22, supply.height))


def own(voice: Voice, view: Json) -> PicturePart:
    """Return the viewer's hand and objectives; alone, the objectives of both sides."""
    solo, you = view["solo"], view["you"]
    if solo is not None:
        return _shared_objectives(voice, solo["objectives"])
    if you is None:
        return PicturePart(Svg(), 0)
    held = of_colour(you["hand"])
    step = min(STEP - 3, (ASIDE - 20 - CARD[0]) / max(1, len(held) - 1))
    hand = (moved(number * step, HEADING, card(colour)) for number, colour in enumerate(held))
    objectives = [_objective(voice, kind, HEADING + 30 * row) for row, kind in enumerate(you["objectives"])]
    aside = [heading(label(voice, "objectives"), width=ASIDE_WIDTH), *objectives]
    return PicturePart(group([heading(label(voice, "hand")), *hand, moved(ASIDE, 0, *aside)]), HEADING + CARD[1])


def _display(voice: Voice, display: Sequence[Colour | None] | None) -> Iterable[Svg]:
    yield heading(label(voice, "display"), width=3 * STEP)
    if display is None:
        yield line_of(label(voice, "hidden"), 0, 44, size=LEGIBLE, width=5 * STEP, looks=look("ink"))
    for number, (slot, colour) in enumerate(zip(SLOTS, display or (), strict=False)):
        told = voice.phrase(
            "held-by", name=f"{label(voice, 'display')} {slot}", what=voice.colour(colour) if colour else "–"
        )
        what = card(colour) if colour else card_gap()
        yield moved(number * STEP, HEADING, place(slot, told, what, _below(slot)))


def _deck(voice: Voice, size: int) -> Svg:
    count = line_of(str(size), CARD[0] / 2, 40, size=20, looks=BOLD | MIDDLE | look("on-black"))
    told = voice.phrase("held-by", name=label(voice, "deck"), what=voice.number("cards", size))
    # It ends where the deck ends: on its left there is room.
    title = line_of(label(voice, "deck"), CARD[0], 16, size=LEGIBLE, width=2.5 * STEP, looks=BOLD | END | look("faint"))
    pile = moved(
        0, HEADING, place(DECK, told, card_back() if size else card_gap(), *([count] if size else []), _below(DECK))
    )
    return moved(5 * STEP + 8, 0, title, pile)


def _below(name: str) -> Svg:
    return line_of(name, CARD[0] / 2, CARD[1] + 18, size=LEGIBLE, looks=BOLD | MIDDLE | look("ink"))


def _supply(voice: Voice, view: Json) -> PicturePart:
    supply = view["supply"]
    agents = (moved(67 * n, HEADING, stock(colour, supply["agents"][colour])) for n, colour in enumerate(COLOURS))
    held = [] if view["solo"] else [each for each in ALL_CONSULTANTS if supply["consultants"].get(each)]
    consultants = [
        moved(
            0,
            HEADING + 40 + 26 * row,
            consultant_named(each, voice.consultant(each), supply["consultants"][each], ASIDE_WIDTH)[0],
        )
        for row, each in enumerate(held)
    ]
    drawn = group([heading(label(voice, "supply"), width=ASIDE_WIDTH), *agents, *consultants])
    return PicturePart(drawn, HEADING + 36 + 26 * len(held))


def _objective(voice: Voice, kind: CompanyType, y: float) -> Svg:
    name = line_of(voice.type(kind), 32, 19, size=LEGIBLE, width=ASIDE_WIDTH - 34, looks=look("ink"))
    return moved(0, y, icon(kind, 0, 0, "ink"), name)


def _shared_objectives(voice: Voice, kinds: Sequence[CompanyType] | None) -> PicturePart:
    title = heading(label(voice, "shared-objectives"))
    if kinds is None:
        return PicturePart(group([title, line_of(label(voice, "hidden"), 0, 44, size=LEGIBLE, looks=look("ink"))]), 50)
    listed = flowing([objective_named(voice, kind) for kind in kinds], WIDTH, 28, 16)
    return PicturePart(group([title, moved(0, HEADING, listed.svg)]), HEADING + listed.height)


def objective_named(voice: Voice, kind: CompanyType) -> tuple[Svg, float]:
    """Return an objective as a small drawing with its name, and how wide that is."""
    name = voice.type(kind)
    drawn = group([icon(kind, 0, 0, "ink", 22), line_of(name, 28, 17, size=LEGIBLE, looks=look("ink"))])
    return drawn, 28 + width_of(name, LEGIBLE)
