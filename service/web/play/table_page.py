"""Page of a game that has begun: table, action line, log, panels, and sections beside them.

`render_table` assembles the page. `table_parts` is shared with the page behind a mailed link. A seat, or a spectator,
sees no more than it may know. The page works without a script; a script follows the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from flask import Response, request, url_for
from sqlalchemy import Connection

from service.handlers.mail_preferences import note_looked
from service.rules.bidi import isolated
from service.rules.table_parts import Mark
from service.shared import clock
from service.shared.lobby_etag import lobby_etag
from service.store.games import Position
from service.store.results import is_first_game
from service.texts.catalog import count, say
from service.texts.games import full_title
from service.texts.when import moment as told_moment
from service.views.listing import lines_of
from service.views.messages import silence
from service.views.operation import acts_at_table
from service.views.orders import auto_answers
from service.views.table import table_side
from service.web.blueprint import compress_page
from service.web.local_time import recent_moment
from service.web.pace import shown_clocks
from service.web.page import current_runtime
from service.web.play.action_line import action_line
from service.web.play.action_picker import Picking, pick_action, pick_order, read_notation
from service.web.play.board_overlays import all_symbols, use_symbol
from service.web.play.board_view import Overlay, view_board
from service.web.play.event_log import LogPage, event_log
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
    """Address of a form, and its hidden fields."""

    address: str
    hidden: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Addresses:
    """Path of a page of a table, and the forms that play an action and take back an action."""

    page: str
    play: FormTo
    take_back: FormTo


@dataclass(frozen=True, slots=True, kw_only=True)
class TableContent:
    """Contents that differ between pages of a table: the picked action, a page of the log, the marks of an order."""

    picked: Picking | None
    log: LogPage
    intended: Sequence[Mark] = field(default_factory=tuple)


def show_begun(db: Connection, position: Position, visitor: Visitor | None) -> Response:
    """Show a game that has begun, and record the player's visit, which may spare a mail."""
    context = viewer_context(db, position, visitor)
    _note_looked(context, visitor)
    return render_table(context)


def show_changed_parts(db: Connection, position: Position, visitor: Visitor | None) -> Response:
    """Show the parts of the page that may have changed.

    204 if the game is still at the version `have` of the query, and its other parts at the ETag `beside`. `open` in the
    query says that the page is visible, not in a background tab.
    """
    context = viewer_context(db, position, visitor)
    if "open" in request.args:
        _note_looked(context, visitor)
    if request.args.get("have", type=int) == position.version:
        beside = "" if context.seat is None else lobby_etag(db, context.game, clock.now())
        if request.args.get("beside", "") == beside:
            return Response(status=204)
    return render_table(context, template="play/table/live.html")


def _note_looked(context: ViewerContext, visitor: Visitor | None) -> None:
    if visitor is not None and context.seat is not None and not current_runtime().mode.read_only:
        note_looked(context.db, context.game, visitor.id, context.position.decision)


def render_table(
    context: ViewerContext,
    status: int = 200,
    refusal: str | None = None,
    template: str = "play/table/page.html",
    unsaved: Mapping[str, Any] | None = None,
) -> Response:
    """Return the page of a table.

    After a refused form, `refusal` is the reason, and `unsaved` the input: a `note`, a `remark`, or the `chosen`
    auto-answers.
    """
    visitor, position, game = current_visitor(), context.position, context.position.game
    cache = position_cache(context)
    table = cache.table

    # Pick the action of the query: for the current decision, or else for a later turn.
    picked, order = pick_action(context, table), pick_order(context, cache)
    log = event_log(context, cache)
    undo = retractable(context, cache, log.acted_at) if log.newest else None
    sections = _sections_of_player(context, visitor)

    # The order being picked, or else the first order in the queue, is drawn over the board.
    notations = [] if order is None or order.planned is None else [order.planned.notation]
    notations += [each["notation"] for each in sections.get("orders", NO_ORDERS).waiting if each["notation"]]
    intended = [mark for each in notations[:1] for mark in table.intended(read_notation(position, each))]

    # Forms carry the key of the session. A public game with spectators has a feed.
    here = url_for("web.show_game", game_id=game.id)
    play, take_back = (url_for(f"web.{view}", game_id=game.id) for view in ("post_action", "take_back_action"))
    key = {} if visitor is None else {FORM_KEY: visitor.form_key}
    addresses = Addresses(here, FormTo(play, key), FormTo(take_back, key))
    open_to_all = game.terms.access == "public" and game.terms.spectators
    feed = url_for("web.show_feed", game_id=game.id, language=context.language) if open_to_all else None

    # A player without a name is asked for a name after the first move.
    asks_name = visitor is not None and visitor.nameless and any(turn.seat == context.seat for turn in log.turns)

    response = page(
        template,
        status,
        whole_width=True,
        unsaved=unsaved or {},
        refusal=refusal or (picked and picked.refusal) or (order and order.refusal),
        planned=order,
        retractable=undo,
        hinted=shown_hints(context),
        agreement=shown_agreement(context, may_ask=undo is None),
        vacancies=vacancies(context, visitor),
        answered=answered_for(context),
        goal=_goal_of_first_game(context),
        feed=feed,
        asks_name=asks_name,
        # Parts that depend on the log and its reader alone are rendered once.
        part_of=(lambda name, caller: cache.keep(("part", name), caller)) if log.newest else lambda _, caller: caller(),
        **table_parts(context, cache, TableContent(picked=picked, log=log, intended=intended), addresses),
        **sections,
        **presence_side(context),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    compress_page(response)
    return response


def _goal_of_first_game(context: ViewerContext) -> str:
    """Return the goal of the game for a player's first decision in a first game of this kind; "" otherwise."""
    position, seat = context.position, context.seat
    if seat is None or not context.awaited or position.decision > position.game.seats:
        return ""
    guide = position.ruleset.guide(context.rules_language)
    goal = guide.goal_alone if position.game.seats == 1 and guide.goal_alone else guide.goal
    player, ruleset = position.seats[seat].player_id, position.ruleset.meta.name
    return goal if goal and is_first_game(context.db, player, ruleset, position.game.id) else ""


def _sections_of_player(context: ViewerContext, visitor: Visitor | None) -> dict[str, Any]:
    """Return the sections beside the table: the awaited seats; for players also talk, notes, orders and mails."""
    position, seat = context.position, context.seat
    running = position.game.status == "running"
    everybody = {"waiting": position.to_act - frozenset({seat}), "away": {}, "beside": ""}
    if seat is None or visitor is None:
        return everybody | {"acts": acts_at_table(context.db, position, context.language)}

    side = table_side(context.db, context.game, visitor.id, clock.now())
    unreached = side.without_mail - position.folded.silent if running else frozenset()
    own_unreached = seat in unreached and len(position.seats) > 1
    may_order = running and seat not in position.resigned
    return everybody | {
        "people": len(position.seats) - len(position.folded.computers),
        # A game with a clock has absences in its log, and shows them with the clocks.
        "away": side.away if running and position.clocks is None else {},
        "beside": side.beside_log,
        "orders": own_orders(context) if side.has_orders and may_order else NO_ORDERS,
        "auto_answers": auto_answers(position, seat, context.language) if may_order else [],
        "unreached": unreached - frozenset({seat}),
        "may_resign": may_order,
        "acts": acts_at_table(context.db, position, context.language) if side.operated else [],
        "remarks": side.remarks,
        "notes": side.notes,
        "mails": position.seats[seat].email and running,
        "muted": side.muted,
        "silence": silence(context.db, visitor.browser.player) if own_unreached else None,
    }


def table_parts(
    context: ViewerContext, cache: PositionCache, content: TableContent, addresses: Addresses
) -> dict[str, Any]:
    """Return the template context shared by the page of a table and the page behind a mailed link."""
    position, language, table = context.position, context.language, cache.table
    ruleset, game = position.ruleset, position.game
    picked, log, sight, symbols = content.picked, content.log, table.sight, table.symbols
    colour = partial(colour_of, context.seat)

    # Board and panels: panels show the clocks, and the pieces of other seats that can be picked.
    overlay = Overlay(log.marks, content.intended)
    board = view_board(table, picked, overlay, colour, language)
    clocks = shown_clocks(context, clock.now())
    panels = PanelBuilder(
        context=context, table=table, picking=picked, clocks=clocks, marks=overlay.changes, zones=board.others
    ).panels()

    # Action line: the next seats, and whether only computer players are awaited.
    upcoming = [
        say(language, "table-then-you")
        if seat == context.seat
        else say(language, "table-then", name=context.everybody[seat])
        for seat in table.upcoming()
        if seat not in position.resigned
    ]
    thinking = bool(position.to_act) and position.to_act <= position.folded.computers.keys()

    # Acts of automata since the viewer's last action, oldest first; only if the reason of any is known.
    new_lines = [line for turn in reversed(log.new) for line in turn.lines]
    of_automata = [line for line in new_lines if line.seat is not None and line.seat >= table.seats]
    since = of_automata if any(line.reason for line in of_automata) else ()

    title = full_title(ruleset.meta, game.options, language)
    return {
        # Game and viewer.
        "viewer_context": context,
        "position": position,
        "addresses": addresses,
        "title": isolated(game.terms.name or title),
        "full_title": title,
        "running": game.status == "running",
        "solo": game.seats == 1,
        "turn": sight.turn,
        # Functions of the templates.
        "moment": partial(recent_moment, language=language, zone=context.zone),
        "instant": lambda at: told_moment(at, language, context.zone),
        "count": partial(count, language),
        "icon": lambda name: use_symbol(symbols, name).svg,
        "colour": colour,
        "words": glossary(ruleset.guide, context.rules_language),
        # Table.
        "board_view": board,
        "symbols": all_symbols(symbols),
        "as_text": cache.keep("text", lambda: ruleset.draw(sight.view, sight.language, sight.names)),
        "panels": panels,
        "clocks": clocks,
        # Action line.
        "told": table.status(),
        "picking": picked,
        "act": None if picked is None else action_line(table, picked, language),
        "thinking": thinking,
        "upcoming": upcoming,
        # Log, points, and result.
        "event_log": log,
        "since": since,
        "sections": cache.keep(
            "sections", lambda: ruleset.explain(sight.standings, sight.viewer, sight.language, sight.names)
        ),
        "ended": result_panel(context, table, panels),
        "notes_of_end": lines_of(position, language),
    }
