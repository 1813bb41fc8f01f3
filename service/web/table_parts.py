"""The parts that the page of a table and the page behind a mailed link share: the table, the log, the panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from service.rules.isolation import isolated
from service.rules.kernel import Section
from service.rules.shapes import Mark
from service.rules.tabletop.table import Table
from service.shared import clock
from service.texts.catalog import count, say
from service.texts.games import full_title
from service.texts.when import moment as told_moment
from service.views.who_played import lines_of
from service.web.action_line import action_line
from service.web.clocks import ShownClocks, shown_clocks
from service.web.ended import ended
from service.web.felt import Overlay, all_symbols, felt, use
from service.web.glossary import glossary
from service.web.happened import LogLine, LogPage
from service.web.local_time import recent_moment
from service.web.panels import Side, colour_of
from service.web.picking import Picking
from service.web.scene import Scene
from service.web.sitting import Sitting


class FormTo(NamedTuple):
    """Where a form goes, and its hidden fields."""

    address: str
    hidden: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Addresses:
    """The path of a page of a table, and where its forms go that play an action and take one back."""

    page: str
    play: FormTo
    take_back: FormTo


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What is shown of a table: what is picked, what has happened, and the marks of an order for a later turn."""

    picked: Picking | None
    log: LogPage
    intended: Sequence[Mark] = field(default_factory=tuple)


def table_parts(sitting: Sitting, scene: Scene, shown: Shown, addresses: Addresses) -> dict[str, Any]:
    """Return what the templates of the shared parts need."""
    position, language, table = sitting.position, sitting.language, scene.table
    clocks = shown_clocks(sitting, clock.now())
    return {
        "sitting": sitting,
        "position": position,
        "addresses": addresses,
        "title": isolated(
            position.game.terms.name or full_title(position.ruleset.meta, position.game.options, language)
        ),
        "full_title": full_title(position.ruleset.meta, position.game.options, language),
        "running": position.game.status == "running",
        "moment": partial(recent_moment, language=language, zone=sitting.zone),
        "instant": lambda at: told_moment(at, language, sitting.zone),
        "count": partial(count, language),
        "happened": shown.log,
        "since": _since(table, shown.log),
        "sections": scene.keep("sections", lambda: _sections(sitting, table)),
        "clocks": clocks,
        "words": glossary(position.ruleset.guide, sitting.rules_language),
        **_felt(sitting, scene, shown, clocks),
    }


def _felt(sitting: Sitting, scene: Scene, shown: Shown, clocks: ShownClocks | None) -> dict[str, Any]:
    """Return the table itself, the action line and the panels."""
    table = scene.table
    picked, over = shown.picked, Overlay(shown.log.marks, shown.intended)
    lying = felt(table, picked, over, partial(colour_of, sitting.seat), sitting.language)
    side = Side(sitting=sitting, table=table, picking=picked, clocks=clocks, marks=over.changes, zones=lying.others)
    symbols, sight, panels = table.symbols, table.sight, side.panels()
    return {
        "felt": lying,
        "panels": panels,
        "upcoming": _upcoming(sitting, table),
        "picking": picked,
        "act": None if picked is None else action_line(table, picked, sitting.language),
        "told": table.status(),
        "thinking": _thinking(sitting),
        "turn": table.sight.turn,
        "ended": ended(sitting, table, panels),
        "notes_of_end": lines_of(sitting.position, sitting.language),
        "symbols": all_symbols(symbols),
        "icon": lambda name: use(symbols, name).svg,
        "colour": partial(colour_of, sitting.seat),
        "solo": sitting.position.game.seats == 1,
        "as_text": scene.keep("text", lambda: sitting.position.ruleset.draw(sight.view, sight.language, sight.names)),
    }


def _thinking(sitting: Sitting) -> bool:
    """Return whether the table waits for computer players alone."""
    position = sitting.position
    return bool(position.to_act) and position.to_act <= position.folded.computers.keys()


def _upcoming(sitting: Sitting, table: Table) -> list[str]:
    """Return who comes next, in words."""
    language, everybody = sitting.language, sitting.everybody
    return [
        say(language, "table-then-you") if seat == sitting.seat else say(language, "table-then", name=everybody[seat])
        for seat in table.upcoming()
        if seat not in sitting.position.resigned
    ]


def _since(table: Table, log: LogPage) -> Sequence[LogLine]:
    """Return what automata have done since the viewer's own last action, the oldest first, if reasons are known."""
    lines = [line for turn in reversed(log.new) for line in turn.lines]
    acted = [line for line in lines if line.seat is not None and line.seat >= table.seats]
    return acted if any(line.reason for line in acted) else ()


def _sections(sitting: Sitting, table: Table) -> Sequence[Section]:
    sight = table.sight
    return sitting.position.ruleset.explain(sight.standings, sight.viewer, sight.language, sight.names)
