"""Board of a table with its places as links and its marks, and the zones beside and below the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from markupsafe import Markup

from service.rules.svg import Svg, element, said
from service.rules.table_parts import Board, Choice, Mark, Piece, Place, Zone
from service.rules.tabletop.picture import NumberedMark
from service.rules.tabletop.table import Table
from service.texts.catalog import say
from service.web.play.action_picker import Picking
from service.web.play.board_overlays import (
    Colour,
    SymbolUse,
    draw_changes,
    draw_numbers,
    draw_order,
    draw_outcomes,
    draw_preview,
    outcome_text,
    use_symbol,
    with_space_after_texts,
)


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """Pieces of a zone: drawing, words, and the link that picks them (None if they cannot be picked).

    `standing` is can, chosen or fails, as the classes of places are named.
    """

    piece: Piece
    drawing: SymbolUse
    href: str | None = None
    label: str = ""
    standing: str = ""


@dataclass(frozen=True, slots=True)
class ShownZone:
    """Zone with its pieces, as shown."""

    zone: Zone
    pieces: tuple[ShownPiece, ...]


@dataclass(frozen=True, slots=True)
class BoardView:
    """Contents of the table: the board, then the shared zones, the reader's own, and those of other seats."""

    board: Markup
    label: str
    shared: tuple[ShownZone, ...]
    own: tuple[ShownZone, ...]
    others: Mapping[int, tuple[ShownZone, ...]]

    @property
    def reached(self) -> bool:
        """Return whether a piece of the reader is focusable, so that its row can be scrolled without a mouse."""
        return any(piece.href for zone in self.own for piece in zone.pieces)


@dataclass(frozen=True, slots=True)
class PlaceLinks:
    """Links of the places that can be picked, with labels and standings."""

    picking: Picking | None
    language: str

    @property
    def targets(self) -> Mapping[str, Choice]:
        """Return the choices by place."""
        return {} if self.picking is None else self.picking.targets

    def told(self, name: str, label: str) -> str:
        """Return the name of a place in words, with the outcome of choosing it."""
        choice = self.targets[name]
        if choice.chosen:
            return f"{label}, {say(self.language, 'pick-chosen')}"
        if not any(each.gain or each.prospect == "bad" for each in self.targets.values()):
            return label
        points = outcome_text(choice.prospect, choice.gain).partition(" ")[2]
        return ", ".join(filter(None, (label, say(self.language, f"pick-{choice.prospect}"), points)))

    def href(self, name: str) -> str | None:
        """Return the address that picks a place; None if it cannot be picked, or is picked already."""
        choice = self.targets.get(name)
        return None if choice is None or choice.chosen or self.picking is None else self.picking.link(choice.picks)

    def standing(self, name: str) -> str:
        """Return the class of a place."""
        choice = self.targets.get(name)
        return "" if choice is None else "chosen" if choice.chosen else "fails" if choice.prospect == "bad" else "can"


class Overlay(NamedTuple):
    """Marks over the board besides choices: changes, and the reader's order for a later turn."""

    changes: Sequence[NumberedMark]
    intended: Sequence[Mark] = ()


def view_board(table: Table, picking: Picking | None, over: Overlay, colour: Colour, language: str) -> BoardView:
    """Return the board and the zones for the reader of a table; `colour` gives the class of a seat's colour."""
    pressing = PlaceLinks(picking, language)
    board = table.board(_with_room(picking, over))
    symbols = table.symbols
    zones = [_zone(symbols, each, pressing) for each in table.zones()]
    seats = {each.zone.seat for each in zones if each.zone.owner == "seat" and each.zone.seat is not None}
    return BoardView(
        board=_drawn(board, pressing, over, colour),
        label=board.label,
        shared=tuple(each for each in zones if each.zone.owner == "shared"),
        own=tuple(each for each in zones if each.zone.owner == "own"),
        others={seat: tuple(each for each in zones if each.zone.seat == seat and _pressable(each)) for seat in seats},
    )


def _with_room(picking: Picking | None, over: Overlay) -> list[Mark]:
    """Return the marks that a board leaves room for: moves of the preview, arrows as moves of nothing, and tags."""
    previewed = () if picking is None or picking.preview is None else picking.preview.told.marks
    changes = [each.mark for each in over.changes]
    return [
        *(each for each in previewed if each.origin is not None),
        *(replace(each, count=0) for each in (*over.intended, *changes) if each.origin is not None),
        *(each for each in changes if each.origin is None),
    ]


def _pressable(zone: ShownZone) -> bool:
    """Return whether a piece of another seat's zone can be picked; panels show the numbers, so others are left out."""
    return zone.zone.owner == "seat" and any(each.standing for each in zone.pieces)


def _drawn(board: Board, pressing: PlaceLinks, overlay: Overlay, colour: Colour) -> Markup:
    places, picking = board.places, pressing.picking
    drawn = [_place(name, place, pressing) for name, place in places.items()]
    faded = picking is not None and bool(picking.picks)
    over = [
        element("g", *draw_changes(overlay.changes, places, colour), class_="changes faded" if faded else "changes")
    ]
    if picking is None:
        over += draw_order(overlay.intended, places, say(pressing.language, "table-your-order"))
    else:
        preview = picking.preview
        over += draw_outcomes(pressing.targets, places) if preview is None else []
        if preview is not None:
            over += draw_preview(preview.told.marks, preview.told.verdict, preview.told.prospect, places)
    over += draw_numbers(overlay.changes, places)
    marked = element("g", *(each for each in over if each), class_="marks", aria_hidden="true")
    svg = element(
        "svg",
        board.ground,
        *drawn,
        marked,
        class_="board",
        viewBox=f"-6 -8 {board.width + 12:g} {board.height + 16:g}",
        role="group",
        aria_label=board.label,
    )
    return Markup(with_space_after_texts(svg))  # noqa: S704 # what a ruleset and this package have drawn escapes all words


def _place(name: str, place: Place, pressing: PlaceLinks) -> Svg:
    standing, href = pressing.standing(name), pressing.href(name)
    names = " ".join(filter(None, ("place", standing)))
    told = pressing.told(name, place.label) if standing else place.label
    if href is None:
        return element("g", place.svg, class_=names, data_place=name, role="img", aria_label=told)
    # A title is the accessible name: a label would not contain the words on the place word for word.
    drawn = element("g", place.svg, aria_hidden="true")
    return element("a", element("title", said(told)), drawn, class_=names, data_place=name, href=href)


def _zone(symbols: Mapping[str, str], zone: Zone, pressing: PlaceLinks) -> ShownZone:
    return ShownZone(zone, tuple(_piece(each, use_symbol(symbols, each.symbol), pressing) for each in zone.pieces))


def _piece(piece: Piece, drawing: SymbolUse, pressing: PlaceLinks) -> ShownPiece:
    name = piece.place or ""
    if not pressing.standing(name):
        return ShownPiece(piece, drawing, label=piece.named)
    shown = ShownPiece(piece, drawing, label=pressing.told(name, piece.named))
    return replace(shown, href=pressing.href(name), standing=pressing.standing(name))
