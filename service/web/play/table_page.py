"""The parts that the page of a table and the page behind a mailed link share: the table, the log, the panels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from flask import Response, request, url_for
from sqlalchemy import Connection

from service.handlers.mail_wishes import note_looked
from service.rules.bidi import isolated
from service.rules.kernel import Section
from service.rules.table_parts import Mark
from service.rules.tabletop.table import Table
from service.shared import clock
from service.shared.beside_log import beside_log
from service.store.played import is_first
from service.store.position import Position
from service.texts.catalog import count, say
from service.texts.games import full_title
from service.texts.when import moment as told_moment
from service.views.mail import silence
from service.views.operators import acts_at_table
from service.views.orders import auto_answers
from service.views.table_side import table_side
from service.views.who_played import lines_of
from service.web.blueprint import compress_page
from service.web.local_time import recent_moment
from service.web.pace import ShownClocks, shown_clocks
from service.web.page import current_runtime
from service.web.play.action_line import action_line
from service.web.play.action_picker import OrderPicking, Picking, pick_action, pick_order, read_notation
from service.web.play.board_overlays import all_symbols, use_symbol
from service.web.play.board_view import Overlay, view_board
from service.web.play.event_log import LogLine, LogPage, event_log
from service.web.play.guide import glossary
from service.web.play.panels import PanelBuilder, colour_of
from service.web.play.position_cache import PositionCache, position_cache
from service.web.play.result_panel import result_panel
from service.web.play.table_sections import (
    NO_ORDERS,
    answered_for,
    own_orders,
    presence_side,
    retractable,
    shown_agreement,
    shown_hints,
    vacancies,
)
from service.web.session import FORM_KEY, SCRIPT_POLICY, Visitor, current_visitor, page
from service.web.viewer_context import ViewerContext, viewer_context


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
class TableContent:
    """What is shown of a table: what is picked, what has happened, and the marks of an order for a later turn."""

    picked: Picking | None
    log: LogPage
    intended: Sequence[Mark] = field(default_factory=tuple)


def table_parts(
    context: ViewerContext, cache: PositionCache, shown: TableContent, addresses: Addresses
) -> dict[str, Any]:
    """Return what the templates of the shared parts need."""
    position, language, table = context.position, context.language, cache.table
    clocks = shown_clocks(context, clock.now())
    return {
        "sitting": context,
        "position": position,
        "addresses": addresses,
        "title": isolated(
            position.game.terms.name or full_title(position.ruleset.meta, position.game.options, language)
        ),
        "full_title": full_title(position.ruleset.meta, position.game.options, language),
        "running": position.game.status == "running",
        "moment": partial(recent_moment, language=language, zone=context.zone),
        "instant": lambda at: told_moment(at, language, context.zone),
        "count": partial(count, language),
        "happened": shown.log,
        "since": _since(table, shown.log),
        "sections": cache.keep("sections", lambda: _sections(context, table)),
        "clocks": clocks,
        "words": glossary(position.ruleset.guide, context.rules_language),
        **_felt(context, cache, shown, clocks),
    }


def _felt(
    context: ViewerContext, cache: PositionCache, shown: TableContent, clocks: ShownClocks | None
) -> dict[str, Any]:
    """Return the table itself, the action line and the panels."""
    table = cache.table
    picked, over = shown.picked, Overlay(shown.log.marks, shown.intended)
    lying = view_board(table, picked, over, partial(colour_of, context.seat), context.language)
    side = PanelBuilder(
        context=context, table=table, picking=picked, clocks=clocks, marks=over.changes, zones=lying.others
    )
    symbols, sight, panels = table.symbols, table.sight, side.panels()
    return {
        "felt": lying,
        "panels": panels,
        "upcoming": _upcoming(context, table),
        "picking": picked,
        "act": None if picked is None else action_line(table, picked, context.language),
        "told": table.status(),
        "thinking": _thinking(context),
        "turn": table.sight.turn,
        "ended": result_panel(context, table, panels),
        "notes_of_end": lines_of(context.position, context.language),
        "symbols": all_symbols(symbols),
        "icon": lambda name: use_symbol(symbols, name).svg,
        "colour": partial(colour_of, context.seat),
        "solo": context.position.game.seats == 1,
        "as_text": cache.keep("text", lambda: context.position.ruleset.draw(sight.view, sight.language, sight.names)),
    }


def _thinking(context: ViewerContext) -> bool:
    """Return whether the table waits for computer players alone."""
    position = context.position
    return bool(position.to_act) and position.to_act <= position.folded.computers.keys()


def _upcoming(context: ViewerContext, table: Table) -> list[str]:
    """Return who comes next, in words."""
    language, everybody = context.language, context.everybody
    return [
        say(language, "table-then-you") if seat == context.seat else say(language, "table-then", name=everybody[seat])
        for seat in table.upcoming()
        if seat not in context.position.resigned
    ]


def _since(table: Table, log: LogPage) -> Sequence[LogLine]:
    """Return what automata have done since the viewer's own last action, the oldest first, if reasons are known."""
    lines = [line for turn in reversed(log.new) for line in turn.lines]
    acted = [line for line in lines if line.seat is not None and line.seat >= table.seats]
    return acted if any(line.reason for line in acted) else ()


def _sections(context: ViewerContext, table: Table) -> Sequence[Section]:
    sight = table.sight
    return context.position.ruleset.explain(sight.standings, sight.viewer, sight.language, sight.names)


# The page of a game: the lobby before the game begins, the table afterwards.


# The page of a game that has begun: the table, the legal actions, the history, and the standings.
#
# It shows what the viewer's seat, or a spectator, may know. It works without a script; with one it follows the game.


def show_begun(db: Connection, position: Position, visitor: Visitor | None) -> Response:
    """Show a game that has begun, and note that its player sees it, which may spare a mail."""
    context = viewer_context(db, position, visitor)
    _note_looked(context, visitor)
    return render_table(context)


def show_changed_parts(db: Connection, position: Position, visitor: Visitor | None) -> Response:
    """Show the parts of the page that may have changed.

    204 if the game is still at the version `have` of the query, and beside its log as `beside` has it. `open` in the
    query says that the page can be seen: it is in no tab behind another one.
    """
    context = viewer_context(db, position, visitor)
    if "open" in request.args:
        _note_looked(context, visitor)
    if request.args.get("have", type=int) == position.version:
        beside = "" if context.seat is None else beside_log(db, context.game, clock.now())
        if request.args.get("beside", "") == beside:
            return Response(status=204)
    return render_table(context, template="table/live.html")


def _note_looked(context: ViewerContext, visitor: Visitor | None) -> None:
    if visitor is not None and context.seat is not None and not current_runtime().mode.read_only:
        note_looked(context.db, context.game, visitor.id, context.position.decision)


def render_table(
    context: ViewerContext,
    status: int = 200,
    refusal: str | None = None,
    template: str = "table/page.html",
    unsaved: Mapping[str, Any] | None = None,
) -> Response:
    """Return the page, with the reason of a refusal if there is one, and what was in the form that was refused.

    `unsaved` has a `note`, a `remark` or the `chosen` auto-answers.
    """
    visitor, cache = current_visitor(), position_cache(context)
    table = cache.table
    picked, planned, log = pick_action(context, table), pick_order(context, cache), event_log(context, cache)
    side = _table_side(context, visitor)
    undo = retractable(context, cache, log.acted_at) if log.newest else None
    lying = TableContent(picked=picked, log=log, intended=_intended(context, table, planned, side))
    response = page(
        template,
        status,
        whole_width=True,
        unsaved=unsaved or {},
        refusal=refusal or (picked and picked.refusal) or (planned and planned.refusal),
        planned=planned,
        retractable=undo,
        hinted=shown_hints(context),
        agreement=shown_agreement(context, may_ask=undo is None),
        vacancies=vacancies(context, visitor),
        answered=answered_for(context),
        goal=_goal(context),
        feed=_feed(context),
        asks_name=visitor is not None and visitor.nameless and any(turn.seat == context.seat for turn in log.turns),
        part_of=partial(_part, cache) if log.newest else lambda _, caller: caller(),
        **table_parts(context, cache, lying, _addresses(context, visitor)),
        **side,
        **presence_side(context),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    compress_page(response)
    return response


def _goal(context: ViewerContext) -> str:
    """Return what wins and scores, for the first decision of a player in a first game of this kind; "" otherwise."""
    position, seat = context.position, context.seat
    if seat is None or not context.awaited or position.decision > position.game.seats:
        return ""
    guide = position.ruleset.guide(context.rules_language)
    goal = guide.goal_alone if position.game.seats == 1 and guide.goal_alone else guide.goal
    player, ruleset = position.seats[seat].player_id, position.ruleset.meta.name
    return goal if goal and is_first(context.db, player, ruleset, position.game.id) else ""


def _part(cache: PositionCache, name: str, caller: Callable[[], str]) -> str:
    """Return a part of the page that follows from the log and its reader alone; `caller` renders it."""
    return cache.keep(("part", name), caller)


def _addresses(context: ViewerContext, visitor: Visitor | None) -> Addresses:
    key = {} if visitor is None else {FORM_KEY: visitor.form_key}
    play, take_back = (url_for(f"web.{form}", game_id=context.game) for form in ("post_action", "take_back_action"))
    return Addresses(url_for("web.show_game", game_id=context.game), FormTo(play, key), FormTo(take_back, key))


def _intended(
    context: ViewerContext, table: Table, planned: OrderPicking | None, side: Mapping[str, Any]
) -> Sequence[Mark]:
    """Return the marks of the order that is being picked, or else of the first that waits."""
    waiting = [each["notation"] for each in side.get("orders", NO_ORDERS).waiting if each["notation"]]
    picked = [] if planned is None or planned.planned is None else [planned.planned.notation]
    chosen = [read_notation(context.position, notation) for notation in (picked + waiting)[:1]]
    return [mark for action in chosen for mark in table.intended(action)]


def _feed(context: ViewerContext) -> str | None:
    """Return the address of the feed of a game that everybody may watch."""
    game, language = context.position.game, context.language
    open_to_all = game.terms.access == "public" and game.terms.spectators
    return url_for("web.show_feed", game_id=game.id, language=language) if open_to_all else None


def _table_side(context: ViewerContext, visitor: Visitor | None) -> dict[str, Any]:
    """Return what stands next to the table: who is awaited, and for players the talk, the notes and the mails."""
    position, seat = context.position, context.seat
    running = position.game.status == "running"
    waited: dict[str, Any] = {
        "waiting": position.to_act - frozenset({seat}),
        "away": {},
        "beside": "",
    }
    if seat is None or visitor is None:
        return waited | {"acts": acts_at_table(context.db, position, context.language)}
    side = table_side(context.db, context.game, visitor.id, clock.now())
    unreached = side.without_mail - position.folded.silent if running else frozenset()
    may_order = running and seat not in position.resigned
    return waited | {
        "people": len(position.seats) - len(position.folded.computers),
        # A game with a clock has absences in its log, and shows them with the clocks.
        "away": side.away if running and position.clocks is None else {},
        "beside": side.beside_log,
        "orders": own_orders(context) if side.has_orders and may_order else NO_ORDERS,
        "auto_answers": auto_answers(position, seat, context.language) if may_order else [],
        "unreached": unreached - frozenset({seat}),
        "may_resign": running and seat not in position.resigned,
        "acts": acts_at_table(context.db, position, context.language) if side.operated else [],
        "remarks": side.remarks,
        "notes": side.notes,
        "mails": position.seats[seat].email and running,
        "muted": side.muted,
        "silence": silence(context.db, visitor.browser.player)
        if seat in unreached and len(position.seats) > 1
        else None,
    }


# The board of a game in a few cells, as a small picture for lists of games.
