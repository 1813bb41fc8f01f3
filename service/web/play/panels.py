"""Panels of the players: name, points with the change by a preview, other numbers, marks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from service.rules.bidi import FSI, PDI
from service.rules.table_parts import Chip, Panel
from service.rules.tabletop.picture import NumberedMark
from service.rules.tabletop.table import Table
from service.web.pace import ShownClocks, ShownDeadline
from service.web.play.action_picker import Picking
from service.web.play.board_overlays import signed, use_symbol
from service.web.play.board_view import ShownZone
from service.web.viewer_context import ViewerContext


@dataclass(frozen=True, slots=True)
class ShownChip:
    """Number of a panel: the class of its colour, its symbol, its numbers, and their meaning."""

    look: str
    drawing: Markup
    number: int
    small: int | None
    title: str

    @property
    def signed(self) -> str:
        """Return the number with its sign."""
        return signed(self.number)


@dataclass(frozen=True, slots=True)
class ShownPanel:
    """Seat on the page.

    `change` is the signed change of points by a preview: `?` if unknown, empty without a preview. `ghosts` are chips
    that a preview would change, with the difference as their number. `numbers` are those of the log lines about changes
    here. `href` picks the seat, if possible. `face` is the portrait of an automaton.
    """

    seat: int
    name: str
    own: bool
    automaton: bool
    computer: bool
    colour: str
    panel: Panel
    to_act: bool
    won: bool
    due: ShownDeadline | None
    change: str
    chips: tuple[ShownChip, ...]
    emblems: tuple[tuple[Markup, str], ...]
    numbers: tuple[int, ...]
    href: str
    standing: str
    zones: tuple[ShownZone, ...]
    ghosts: tuple[ShownChip, ...]
    face: Markup

    @property
    def initial(self) -> str:
        return initial_of(self.name)

    @property
    def worse(self) -> bool:
        """Return whether the preview costs points."""
        return self.change.startswith("−")


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelBuilder:
    """Sources of the panels: the table, the picks, the clocks, the marks, and the zones of other seats."""

    context: ViewerContext
    table: Table
    picking: Picking | None
    clocks: ShownClocks | None
    marks: Sequence[NumberedMark]
    zones: Mapping[int, tuple[ShownZone, ...]]

    def panels(self) -> tuple[ShownPanel, ...]:
        """Return the panels of all seats in order, an automaton's last."""
        symbols, places = self.table.symbols, frozenset(self.table.board().places)
        return tuple(self._panel(seat, symbols, places) for seat in range(self.table.panels))

    def _panel(self, seat: int, symbols: Mapping[str, str], places: Collection[str]) -> ShownPanel:
        position, panel, name = self.context.position, self.table.panel(seat), f"@{seat}"
        href, standing = ("", "") if name in places else self._pressed(name)
        return ShownPanel(
            seat=seat,
            name=self.context.everybody[seat],
            own=seat == self.context.seat,
            automaton=seat >= self.table.seats,
            computer=seat < len(position.seats) and position.seats[seat].computer is not None,
            colour=colour_of(self.context.seat, seat),
            panel=panel,
            to_act=seat in position.to_act,
            won=position.outcome is not None and seat in position.outcome["winners"],
            due=self._due(seat),
            change=self._change(seat),
            chips=tuple(ShownChip(c.look, use_symbol(symbols, c.symbol).svg, *c[2:]) for c in panel.chips),
            emblems=tuple((use_symbol(symbols, each.symbol).svg, each.title) for each in panel.emblems),
            numbers=() if name in places else _numbers(self.marks, name),
            href=href,
            standing=standing,
            zones=self.zones.get(seat, ()),
            ghosts=tuple(ShownChip(c.look, use_symbol(symbols, c.symbol).svg, *c[2:]) for c in self._ghosts(seat)),
            face=use_symbol(symbols, "automaton" if seat >= self.table.seats else "").svg,
        )

    def _pressed(self, name: str) -> tuple[str, str]:
        choice = None if self.picking is None else self.picking.targets.get(name)
        if choice is None or self.picking is None:
            return "", ""
        return ("", "chosen") if choice.chosen else (self.picking.link(choice.picks), "can")

    def _due(self, seat: int) -> ShownDeadline | None:
        timed = self.clocks is not None and seat < len(self.clocks.seats)
        return self.clocks.seats[seat].due if self.clocks is not None and timed else None

    def _ghosts(self, seat: int) -> tuple[Chip, ...]:
        """Return the changes by the preview to the chips of a seat."""
        preview = None if self.picking is None else self.picking.preview
        return () if preview is None or seat >= len(preview.chips) else preview.chips[seat]

    def _change(self, seat: int) -> str:
        preview = None if self.picking is None else self.picking.preview
        if preview is None or seat >= len(preview.points):
            return ""
        before, after = preview.points[seat]
        if before is None or after is None:
            return "?"
        return "" if before == after else signed(after - before)


def initial_of(name: str) -> str:
    """Return the first letter of a name, without bidi isolates."""
    return name.strip(f"{FSI}{PDI}")[:1].upper()


def colour_of(reader: int | None, seat: int | None) -> str:
    """Return the class of a seat's colour: s1 for the reader, then s2 to s6 for the others; s0 for nobody."""
    if seat is None:
        return "s0"
    if reader is None:
        return f"s{seat % 6 + 1}"
    return "s1" if seat == reader else f"s{(seat - (seat > reader)) % 5 + 2}"


def _numbers(marks: Sequence[NumberedMark], name: str) -> tuple[int, ...]:
    return tuple(each.number for each in marks if each.mark.at == name and each.number is not None)
