"""The page of a game that has begun: the table, the legal actions, the history, and the standings.

It shows what the viewer's seat, or a spectator, may know. It works without a script; with one it follows the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from flask import Response, request, url_for
from sqlalchemy import Connection

from service.handlers.mail_wishes import note_looked, note_seen
from service.rules.isolation import isolated
from service.rules.kernel import Section
from service.rules.shapes import Mark
from service.rules.tabletop.table import Table
from service.shared import clock
from service.shared.beside_log import beside_log
from service.store.position import Position
from service.texts.catalog import count, say
from service.texts.when import moment as told_moment
from service.views.mail import silence
from service.views.operators import acts_at_table
from service.views.orders import auto_answers
from service.views.table_side import table_side
from service.views.who_played import lines_of
from service.web.action_line import action_line
from service.web.agreement import shown_agreement
from service.web.clocks import ShownClocks, shown_clocks
from service.web.compression import compressed
from service.web.ended import ended
from service.web.felt import Overlay, all_symbols, felt, use
from service.web.glossary import glossary
from service.web.happened import Happened, LogLine, happened
from service.web.local_time import shown_moment
from service.web.ordering import NO_ORDERS, answered_for, own_orders
from service.web.page import current_runtime
from service.web.panels import Side, colour_of
from service.web.picking import Picking, picking
from service.web.planning import Planning, planning, read_notation
from service.web.presence import presence_side
from service.web.session import SCRIPT_POLICY, Visitor, page
from service.web.sitting import Sitting
from service.web.take_back import retractable
from service.web.vacancies import vacancies


def show(db: Connection, position: Position, visitor: Visitor | None) -> Response:
    """Show a game that has begun, and note that a player who is to act has seen it, which may spare a mail."""
    sitting = Sitting(db, position, visitor)
    if sitting.awaited and visitor is not None and not current_runtime().mode.read_only:
        note_seen(db, sitting.game, visitor.id, position.decision)
        if position.clocks is not None:
            note_looked(db, sitting.game, visitor.id)
    return shown(sitting)


def show_live(db: Connection, position: Position, visitor: Visitor | None) -> Response:
    """Show the parts of the page that may have changed.

    204 if the game is still at the version `have` of the query, and beside its log as `beside` has it.
    """
    sitting = Sitting(db, position, visitor)
    if request.args.get("have", type=int) == position.version:
        beside = "" if sitting.seat is None else beside_log(db, sitting.game, clock.now())
        if request.args.get("beside", "") == beside:
            return Response(status=204)
    return shown(sitting, template="table/live.html")


def shown(
    sitting: Sitting, status: int = 200, refusal: str | None = None, template: str = "table/page.html"
) -> Response:
    """Return the page, with the reason of a refusal if there is one."""
    position, language = sitting.position, sitting.language
    table = table_of(sitting)
    picked, planned, log = picking(sitting, table), planning(sitting), happened(sitting, table)
    side = _table_side(sitting)
    clocks, undo = shown_clocks(sitting, clock.now()), retractable(sitting, log.acted_at) if log.newest else None
    response = page(
        template,
        status,
        whole_width=True,
        sitting=sitting,
        position=position,
        title=isolated(position.game.terms.name or position.ruleset.meta.title),
        moment=partial(shown_moment, language=language, zone=sitting.zone),
        refusal=refusal or (picked and picked.refusal) or (planned and planned.refusal),
        planned=planned,
        happened=log,
        since=_since(sitting, table, log),
        retractable=undo,
        agreement=shown_agreement(sitting, may_ask=undo is None),
        count=partial(count, language),
        sections=_sections(sitting, table),
        clocks=clocks,
        instant=lambda at: told_moment(at, language, sitting.zone),
        words=glossary(position.ruleset.guide, sitting.rules_language),
        vacancies=vacancies(sitting),
        answered=answered_for(sitting),
        feed=_feed(sitting),
        **_felt(sitting, table, picked, Overlay(log.marks, _intended(sitting, table, planned, side)), clocks),
        **side,
        **presence_side(sitting),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return compressed(response)


def table_of(sitting: Sitting) -> Table:
    """Return what the ruleset shows of the game to its viewer."""
    position = sitting.position
    return Table(
        position.ruleset, position.state, position.game.seats, sitting.seat, sitting.rules_language, sitting.names
    )


def _felt(
    sitting: Sitting, table: Table, picked: Picking | None, over: Overlay, clocks: ShownClocks | None
) -> dict[str, Any]:
    """Return the table itself, the action line and the panels."""
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
        "turn": table.sight.turn,
        "ended": ended(sitting, table, panels),
        "notes_of_end": lines_of(sitting.position, sitting.language),
        "symbols": all_symbols(symbols),
        "icon": lambda name: use(symbols, name).svg,
        "colour": partial(colour_of, sitting.seat),
        "solo": sitting.position.game.seats == 1,
        "as_text": sitting.position.ruleset.draw(sight.view, sight.language, sight.names).rstrip(),
    }


def _upcoming(sitting: Sitting, table: Table) -> list[str]:
    """Return who comes next, in words."""
    language, everybody = sitting.language, sitting.everybody
    return [
        say(language, "table-then-you") if seat == sitting.seat else say(language, "table-then", name=everybody[seat])
        for seat in table.upcoming()
        if seat not in sitting.position.resigned
    ]


def _intended(sitting: Sitting, table: Table, planned: Planning | None, side: Mapping[str, Any]) -> Sequence[Mark]:
    """Return the marks of the order that is being picked, or else of the first that waits."""
    waiting = [each["notation"] for each in side.get("orders", NO_ORDERS).waiting if each["notation"]]
    picked = [] if planned is None or planned.planned is None else [planned.planned.notation]
    return [mark for notation in (picked + waiting)[:1] for mark in table.intended(read_notation(sitting, notation))]


def _since(sitting: Sitting, table: Table, log: Happened) -> Sequence[LogLine]:
    """Return what automata have done since the viewer's own last action, the oldest first, if reasons are known."""
    lines = [line for turn in reversed(log.new) for line in turn.lines]
    acted = [line for line in lines if line.seat is not None and line.seat >= table.seats]
    return acted if any(line.reason for line in acted) else ()


def _feed(sitting: Sitting) -> str | None:
    """Return the address of the feed of a game that everybody may watch."""
    game, language = sitting.position.game, sitting.language
    open_to_all = game.terms.access == "public" and game.terms.spectators
    return url_for("web.show_feed", game_id=game.id, language=language) if open_to_all else None


def _sections(sitting: Sitting, table: Table) -> Sequence[Section]:
    sight = table.sight
    return sitting.position.ruleset.explain(sight.standings, sight.viewer, sight.language, sight.names)


def _table_side(sitting: Sitting) -> dict[str, Any]:
    """Return what stands next to the table: who is awaited, and for players the talk, the notes and the mails."""
    position, seat, visitor = sitting.position, sitting.seat, sitting.visitor
    running = position.game.status == "running"
    waited: dict[str, Any] = {
        "running": running,
        "waiting": position.to_act - frozenset({seat}),
        "away": {},
        "beside": "",
    }
    if seat is None or visitor is None:
        return waited | {"acts": acts_at_table(sitting.db, position, sitting.language)}
    side = table_side(sitting.db, sitting.game, visitor.id, clock.now())
    unreached = side.without_mail - frozenset(position.resigned) if running else frozenset()
    may_order = running and seat not in position.resigned
    return waited | {
        # A game with a clock has absences in its log, and shows them with the clocks.
        "away": side.away if running and position.clocks is None else {},
        "beside": side.beside_log,
        "orders": own_orders(sitting) if side.has_orders and may_order else NO_ORDERS,
        "auto_answers": auto_answers(position, seat, sitting.language) if may_order else [],
        "unreached": unreached - frozenset({seat}),
        "may_resign": running and seat not in position.resigned,
        "acts": acts_at_table(sitting.db, position, sitting.language) if side.operated else [],
        "remarks": side.remarks,
        "notes": side.notes,
        "mails": position.seats[seat].email and running,
        "muted": side.muted,
        "silence": silence(sitting.db, visitor.browser.player)
        if seat in unreached and len(position.seats) > 1
        else None,
    }
