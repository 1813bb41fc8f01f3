"""The pages behind the links of a turn mail: GET shows and changes nothing; POST plays.

The link is the only credential: these pages need no cookie, no session and no script.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from flask import Response, request
from sqlalchemy import Connection

from service.handlers import links
from service.handlers.play import Move, play
from service.handlers.presence import come_back, is_absent
from service.handlers.refusals import NotRunning, NotSeated, NotYourTurn, StaleDecision
from service.handlers.transaction import transaction
from service.rules.kernel import Illegal, Unreadable
from service.rules.shapes import NoSuchChoice
from service.rules.tabletop.table import Table
from service.views.dry_run import reveals
from service.web.blueprint import web
from service.web.form_sent import requires_form
from service.web.inactive_link import inactive_page
from service.web.link_table import all_actions_page, choice_page, played_page, refusal_page
from service.web.opened_link import OpenedLink, open_link
from service.web.page import current_runtime, unknown_page
from service.web.picking import Picking, picked, picked_in_query
from service.web.planning import read_notation
from service.web.player_only import player_only
from service.web.second_question import asks_twice
from service.web.sitting import Sitting

REFUSALS: Final = (StaleDecision, NotYourTurn, NotRunning, Unreadable, Illegal)
_Page = Callable[[Connection, OpenedLink], Response]


@web.get("/t/<token>")
@player_only
def show_link(token: str) -> Response:
    """Show the table with what is picked, or why the link cannot play any more.

    The query has picks as on the page of a table, or a whole action (`notation`).
    """
    return _show(token, lambda db, opened: choice_page(db, opened, picked_in_query))


@web.get("/t/<token>/<code>")
@player_only
def show_move(token: str, code: str) -> Response:
    """Show the table with the preview of an action; `code` is its notation as `links.code` writes it."""

    def pick(sitting: Sitting, table: Table, page: str) -> Picking:
        action = None if sitting.seat is None else links.meant(sitting.position, sitting.seat, code)
        if action is None:
            raise NoSuchChoice(code)
        return picked(sitting, table, page, action=action)

    return _show(token, lambda db, opened: choice_page(db, opened, pick))


@web.get("/t/<token>/all/<int:number>")
@player_only
def show_kind(token: str, number: int) -> Response:
    """Show all actions of a kind as buttons; `number` counts the kinds from 1, and 0 is all kinds, as mails have it."""
    return _show(
        token,
        lambda db, opened: all_actions_page(db, opened, number) or refusal_page(db, opened, NoSuchChoice(number)),
    )


@web.post("/t/<token>")
@requires_form(show_link, "decision")
@player_only
def play_link(token: str) -> Response:
    """Play the action of the form (`notation`, `decision`), and show what it has caused.

    Where it is asked twice (`asks_twice`), an action that reveals something hidden is played only with `sure` in the
    form; else the page asks once more.
    """
    return _play(token, _by_notation)


@web.post("/t/<token>/<code>")
@requires_form(show_move, "decision")
@player_only
def play_move(token: str, code: str) -> Response:
    """Play the action that `code` names in answer to the form's `decision`, as `play_link` does."""
    return _play(token, partial(_by_code, code))


def _show(token: str, shown: _Page) -> Response:
    with transaction(current_runtime().games.engine) as db:
        opened = open_link(db, token)
        if opened is None or not opened.live:
            return unknown_page() if opened is None else inactive_page(db, opened, 410)
        return shown(db, opened)


def _play(token: str, read: Callable[[OpenedLink], Any]) -> Response:
    games, opened = current_runtime().games, _opened_by_its_player(token)
    if opened is None:
        return unknown_page()
    if not opened.live:
        with transaction(games.engine) as db:
            return inactive_page(db, opened, 409)
    link = opened.link
    try:
        if request.form.get("decision", type=int) != link.decision:
            raise StaleDecision(opened.position, [])
        action = read(opened)
        if _asks(opened, action):
            with transaction(games.engine) as db:
                return choice_page(db, opened, partial(picked, action=action, asked=True))
        move = Move(
            game=link.game_id, seat=link.seat, decision=link.decision, action=action, door="link", player=link.player_id
        )
        played = play(games, move)
    except REFUSALS as refusal:
        return _refused(opened, refusal)
    except NotSeated:
        # Another person has just taken the seat over.
        return unknown_page()
    with transaction(games.engine) as db:
        return played_page(db, opened, action, played)


def _asks(opened: OpenedLink, action: Any) -> bool:
    """Return whether the player is asked once more before the action is played."""
    position, seat = opened.position, opened.link.seat
    asks = "sure" not in request.form and asks_twice(position, seat)
    return asks and reveals(position, seat, action)


def _opened_by_its_player(token: str) -> OpenedLink | None:
    """Return the link of a form that was sent; a player who was absent is back with it."""
    games = current_runtime().games
    with transaction(games.engine) as db:
        opened = open_link(db, token)
    if opened is None or not opened.works or not is_absent(opened.position, opened.link.seat):
        return opened
    link = opened.link
    try:
        return OpenedLink(link, come_back(games, link.game_id, link.seat, link.player_id, "link"))
    except NotSeated:
        # Another person has just taken the seat over.
        return None


def _by_notation(opened: OpenedLink) -> Any:
    return read_notation(opened.position, request.form.get("notation", ""))


def _by_code(code: str, opened: OpenedLink) -> Any:
    action = links.meant(opened.position, opened.link.seat, code)
    if action is None:
        raise Unreadable(code[:40])
    return action


def _refused(opened: OpenedLink, refusal: Exception) -> Response:
    games = current_runtime().games
    with transaction(games.engine) as db:
        now = OpenedLink(opened.link, games.open(db, opened.link.game_id))
        return refusal_page(db, now, refusal) if now.live else inactive_page(db, now, 409)
