"""Contributions of the game to the page of a table: the lots as a board, cards as pieces, and panels.

The rest are defaults: choices from `legal` and `ask`, the log from `describe`, scores from `standings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.rules.kernel import Seat
from service.rules.svg import element, said
from service.rules.table_parts import Board, Mark, Panel, Piece, Zone
from service.rules.table_plugin import Contributions, Sight
from service.rules.tabletop.drawing import Plate, plates

from .meta import LOTS
from .texts import TEXTS

CARD = element("rect", x=2, y=2, width=60, height=84, rx=7, class_="c1", fill="#2f5d8c")


def board(sight: Sight, _: Sequence[Mark]) -> Board:
    """Return a plate for each lot: what it was worth and who has got it."""
    texts = TEXTS[sight.language]
    lots = {f"lot-{lot}": _lot(sight, lot, texts) for lot in range(1, LOTS + 1)}
    return plates(texts["lots"], lots)


def _lot(sight: Sight, lot: int, texts: Mapping[str, str]) -> Plate:
    title, awarded = texts["table"].format(lot=lot), sight.view["awarded"]
    if lot > len(awarded):
        return Plate(title, lines=(texts["open"],) if lot == sight.view["lot"] else ())
    award = awarded[lot - 1]
    winner = texts["nobody"] if award["seat"] is None else sight.names[award["seat"]]
    return Plate(title, lines=(winner,), number=sum(award["dice"]))


def zones(sight: Sight) -> Sequence[Zone]:
    """Return the reader's hand; a card is chosen by pressing it."""
    hand = sight.view["hand"]
    if not hand:
        return ()
    pieces = tuple(Piece(symbol="card", label=str(card), place=f"card-{card}") for card in hand)
    return (Zone(id="hand", title=TEXTS[sight.language]["own-hand"], owner="own", pieces=pieces),)


def panel(sight: Sight, seat: Seat) -> Panel:
    """Return a seat's points, and how many cards it has."""
    count = TEXTS[sight.language]["count"].format(count=sight.view["cards"][seat])
    return Panel(points=sight.view["points"][seat], line=count)


CONTRIBUTIONS = Contributions(
    board=board,
    zones=zones,
    panel=panel,
    symbols=lambda language: {
        "card": element("symbol", CARD, element("title", said(TEXTS[language]["Bid"])), id="card", viewBox="0 0 64 88")
    },
    looks={"c1": ("#2f5d8c", "#3b6ea3"), "on-c1": ("#ffffff", "#ffffff")},
)
