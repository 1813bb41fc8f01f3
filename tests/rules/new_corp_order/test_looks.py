"""The colours of New Corp Order can be told from each other."""

from __future__ import annotations

from service.conformance.drawings import contrast
from service.rules.games.new_corp_order.tabletop.symbols import COLOUR_CLASSES, LOOKS, WATERMARK
from service.rules.games.new_corp_order.terms import COLOURS


def test_signs_can_be_seen_through_every_tile() -> None:
    for colour in COLOURS:
        for below, above in zip(LOOKS[COLOUR_CLASSES[colour]], LOOKS[f"on-{COLOUR_CLASSES[colour]}"], strict=True):
            assert contrast(_mixed(below, above, WATERMARK[colour]), above) >= 4.5


def _mixed(below: str, above: str, share: float) -> str:
    parts = [(int(below[at : at + 2], 16), int(above[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(one + (other - one) * share):02x}" for one, other in parts)
