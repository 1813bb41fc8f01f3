"""The page of a game that has begun: the table, the legal actions, the history, and the standings.

It shows what the viewer's seat, or a spectator, may know. It works without a script; with one it follows the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from flask import Response, request, url_for
from sqlalchemy import Connection

from service.handlers.mail_wishes import note_looked
from service.rules.shapes import Mark
from service.rules.tabletop.table import Table
from service.shared import clock
from service.shared.beside_log import beside_log
from service.store.played import is_first
from service.store.position import Position
from service.views.mail import silence
from service.views.operators import acts_at_table
from service.views.orders import auto_answers
from service.views.table_side import table_side
from service.web.agreement import shown_agreement
from service.web.compression import compress_page
from service.web.happened import happened
from service.web.hints import shown_hints
from service.web.ordering import NO_ORDERS, answered_for, own_orders
from service.web.page import current_runtime
from service.web.picking import picking
from service.web.planning import Planning, planning, read_notation
from service.web.presence import presence_side
from service.web.scene import Scene, scene_of
from service.web.session import FORM_KEY, SCRIPT_POLICY, Visitor, current_visitor, page
from service.web.sitting import Sitting, sitting_of
from service.web.table_parts import Addresses, FormTo, Shown, table_parts
from service.web.take_back import retractable
from service.web.vacancies import vacancies


def show(db: Connection, position: Position, visitor: Visitor | None) -> Response:
    """Show a game that has begun, and note that its player sees it, which may spare a mail."""
    sitting = sitting_of(db, position, visitor)
    _note_looked(sitting, visitor)
    return shown(sitting)


def show_live(db: Connection, position: Position, visitor: Visitor | None) -> Response:
    """Show the parts of the page that may have changed.

    204 if the game is still at the version `have` of the query, and beside its log as `beside` has it. `open` in the
    query says that the page can be seen: it is in no tab behind another one.
    """
    sitting = sitting_of(db, position, visitor)
    if "open" in request.args:
        _note_looked(sitting, visitor)
    if request.args.get("have", type=int) == position.version:
        beside = "" if sitting.seat is None else beside_log(db, sitting.game, clock.now())
        if request.args.get("beside", "") == beside:
            return Response(status=204)
    return shown(sitting, template="table/live.html")


def _note_looked(sitting: Sitting, visitor: Visitor | None) -> None:
    if visitor is not None and sitting.seat is not None and not current_runtime().mode.read_only:
        note_looked(sitting.db, sitting.game, visitor.id, sitting.position.decision)


def shown(
    sitting: Sitting,
    status: int = 200,
    refusal: str | None = None,
    template: str = "table/page.html",
    unsaved: Mapping[str, Any] | None = None,
) -> Response:
    """Return the page, with the reason of a refusal if there is one, and what was in the form that was refused.

    `unsaved` has a `note`, a `remark` or the `chosen` auto-answers.
    """
    visitor, scene = current_visitor(), scene_of(sitting)
    table = scene.table
    picked, planned, log = picking(sitting, table), planning(sitting, scene), happened(sitting, scene)
    side = _table_side(sitting, visitor)
    undo = retractable(sitting, scene, log.acted_at) if log.newest else None
    lying = Shown(picked=picked, log=log, intended=_intended(sitting, table, planned, side))
    response = page(
        template,
        status,
        whole_width=True,
        unsaved=unsaved or {},
        refusal=refusal or (picked and picked.refusal) or (planned and planned.refusal),
        planned=planned,
        retractable=undo,
        hinted=shown_hints(sitting),
        agreement=shown_agreement(sitting, may_ask=undo is None),
        vacancies=vacancies(sitting, visitor),
        answered=answered_for(sitting),
        goal=_goal(sitting),
        feed=_feed(sitting),
        asks_name=visitor is not None and visitor.nameless and any(turn.seat == sitting.seat for turn in log.turns),
        part_of=partial(_part, scene) if log.newest else lambda _, caller: caller(),
        **table_parts(sitting, scene, lying, _addresses(sitting, visitor)),
        **side,
        **presence_side(sitting),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    compress_page(response)
    return response


def _goal(sitting: Sitting) -> str:
    """Return what wins and scores, for the first decision of a player in a first game of this kind; "" otherwise."""
    position, seat = sitting.position, sitting.seat
    if seat is None or not sitting.awaited or position.decision > position.game.seats:
        return ""
    guide = position.ruleset.guide(sitting.rules_language)
    goal = guide.goal_alone if position.game.seats == 1 and guide.goal_alone else guide.goal
    player, ruleset = position.seats[seat].player_id, position.ruleset.meta.name
    return goal if goal and is_first(sitting.db, player, ruleset, position.game.id) else ""


def _part(scene: Scene, name: str, caller: Callable[[], str]) -> str:
    """Return a part of the page that follows from the log and its reader alone; `caller` renders it."""
    return scene.keep(("part", name), caller)


def _addresses(sitting: Sitting, visitor: Visitor | None) -> Addresses:
    key = {} if visitor is None else {FORM_KEY: visitor.form_key}
    play, take_back = (url_for(f"web.{form}", game_id=sitting.game) for form in ("post_action", "take_back_action"))
    return Addresses(url_for("web.show_game", game_id=sitting.game), FormTo(play, key), FormTo(take_back, key))


def _intended(sitting: Sitting, table: Table, planned: Planning | None, side: Mapping[str, Any]) -> Sequence[Mark]:
    """Return the marks of the order that is being picked, or else of the first that waits."""
    waiting = [each["notation"] for each in side.get("orders", NO_ORDERS).waiting if each["notation"]]
    picked = [] if planned is None or planned.planned is None else [planned.planned.notation]
    chosen = [read_notation(sitting.position, notation) for notation in (picked + waiting)[:1]]
    return [mark for action in chosen for mark in table.intended(action)]


def _feed(sitting: Sitting) -> str | None:
    """Return the address of the feed of a game that everybody may watch."""
    game, language = sitting.position.game, sitting.language
    open_to_all = game.terms.access == "public" and game.terms.spectators
    return url_for("web.show_feed", game_id=game.id, language=language) if open_to_all else None


def _table_side(sitting: Sitting, visitor: Visitor | None) -> dict[str, Any]:
    """Return what stands next to the table: who is awaited, and for players the talk, the notes and the mails."""
    position, seat = sitting.position, sitting.seat
    running = position.game.status == "running"
    waited: dict[str, Any] = {
        "waiting": position.to_act - frozenset({seat}),
        "away": {},
        "beside": "",
    }
    if seat is None or visitor is None:
        return waited | {"acts": acts_at_table(sitting.db, position, sitting.language)}
    side = table_side(sitting.db, sitting.game, visitor.id, clock.now())
    unreached = side.without_mail - position.folded.silent if running else frozenset()
    may_order = running and seat not in position.resigned
    return waited | {
        "people": len(position.seats) - len(position.folded.computers),
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
