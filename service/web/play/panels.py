"""The panels of the players: who they are, their points with what a preview changes, what they have, their marks."""

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
    """A number of a panel: the class of its colour, its symbol, its numbers, and what they mean."""

    look: str
    drawing: Markup
    number: int
    small: int | None
    title: str

    @property
    def signed(self) -> str:
        """The number with its sign."""
        return signed(self.number)


@dataclass(frozen=True, slots=True)
class ShownPanel:
    """What the page shows of a seat.

    `change` is how a preview changes the points, with its sign; `?` where that cannot be known, and empty without one.
    `ghosts` are chips that a preview would change, with the difference as their number. `numbers` are those of the
    lines of the log that tell of changes here. `href` picks the seat, where it can be. `face` is the portrait of an
    automaton.
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
        """The first letter of the name."""
        return initial_of(self.name)

    @property
    def worse(self) -> bool:
        """Whether the preview costs points."""
        return self.change.startswith("−")


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelBuilder:
    """What the panels are made of: the table, what is picked, the clocks, the marks, and the zones of other seats."""

    context: ViewerContext
    table: Table
    picking: Picking | None
    clocks: ShownClocks | None
    marks: Sequence[NumberedMark]
    zones: Mapping[int, tuple[ShownZone, ...]]

    def panels(self) -> tuple[ShownPanel, ...]:
        """Return the panels of all seats in their order, that of an automaton last."""
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
        """Return what the preview would add to the chips of a seat, or take from them."""
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
    """Return the first letter of a name as it stands in sentences."""
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
