"""The pages behind the links of a turn mail: GET shows, and changes nothing at all; POST plays.

The link is the only credential here: no cookie, no session, no script.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from flask import Response, request
from sqlalchemy import Connection

from service.handlers import links
from service.handlers.play import Move, Played, play
from service.handlers.refusals import NotRunning, NotYourTurn, StaleDecision
from service.handlers.transaction import transaction
from service.rules.kernel import Illegal, Unreadable
from service.texts.catalog import say
from service.views.foretell import reveals
from service.views.steps import step
from service.web.blueprint import web
from service.web.choosing import LONGEST_NOTATION, choosing_page, kind_page
from service.web.own_links import for_its_player
from service.web.page import answer, runtime, unknown_page
from service.web.past import past_page
from service.web.pressed import only_pressed
from service.web.preview import preview_page
from service.web.undoing import back_ask
from service.web.visit import Visit, next_address, visit_to

REFUSALS: Final = (StaleDecision, NotYourTurn, NotRunning, Unreadable, Illegal)
LONGEST_WAY: Final = 100


@web.get("/t/<token>")
@for_its_player
def show_link(token: str) -> Response:
    """Show the table and what may be done, what the action picked or written would do, or that nothing can be done.

    `way` in the address are the numbers of the answers given so far, with full stops between; `notation` is an action.
    """
    with transaction(runtime().games.engine) as db:
        visit = visit_to(db, token)
        if visit is None or not visit.live:
            return unknown_page() if visit is None else past_page(db, visit, 410)
        if "notation" in request.args:
            return _ahead(db, visit, request.args["notation"])
        try:
            reached = step(visit.position, visit.link.seat, _way(), visit.rules_language)
        except ValueError:
            return choosing_page(db, visit, 404, refusal=say(visit.language, "ahead-impossible"))
        if reached.action is None:
            return choosing_page(db, visit, 200, reached)
        # What was picked has had its first press: here is the second, of what cannot be taken back.
        return preview_page(visit, reached.action, asked=bool(reached.path))


@web.get("/t/<token>/<code>")
@for_its_player
def show_move(token: str, code: str) -> Response:
    """Show what an action would do before it is played; `code` is its notation as `links.code` writes it."""
    with transaction(runtime().games.engine) as db:
        visit = visit_to(db, token)
        if visit is None or not visit.live:
            return unknown_page() if visit is None else past_page(db, visit, 410)
        action = links.meant(visit.position, visit.link.seat, code)
        if action is None:
            return choosing_page(db, visit, 404, refusal=say(visit.language, "ahead-impossible"))
        return preview_page(visit, action)


@web.get("/t/<token>/all/<int:number>")
@for_its_player
def show_kind(token: str, number: int) -> Response:
    """Show all actions of a kind as buttons; `number` counts the kinds from 1 as the mail names them."""
    with transaction(runtime().games.engine) as db:
        visit = visit_to(db, token)
        if visit is None or not visit.live:
            return unknown_page() if visit is None else past_page(db, visit, 410)
        return kind_page(visit, number) or choosing_page(
            db, visit, 404, refusal=say(visit.language, "ahead-impossible")
        )


@web.post("/t/<token>")
@only_pressed(show_link, "decision")
@for_its_player
def play_link(token: str) -> Response:
    """Play the action of the form (`notation`, `decision`), and show what came of it.

    What shows something hidden is asked for once more, and played only for a form that says that one is `sure`.
    """
    return _answered(token, _written)


@web.post("/t/<token>/<code>")
@only_pressed(show_move, "decision")
@for_its_player
def play_move(token: str, code: str) -> Response:
    """Play the action of the address in answer to the form's `decision`, as `play_link` does that of its form."""
    return _answered(token, partial(_coded, code))


def _ahead(db: Connection, visit: Visit, notation: str) -> Response:
    try:
        return preview_page(visit, _parsed(visit, notation))
    except (Unreadable, Illegal) as refusal:
        return _not_for_now(db, visit, refusal)


def _way() -> tuple[int, ...]:
    written = request.args.get("way", "")[:LONGEST_WAY]
    return tuple(map(int, written.split("."))) if written else ()


def _answered(token: str, read: Callable[[Visit], Any]) -> Response:
    with transaction(runtime().games.engine) as db:
        visit = visit_to(db, token)
        if visit is None or not visit.live:
            return unknown_page() if visit is None else past_page(db, visit, 409)
    link = visit.link
    try:
        if request.form.get("decision", type=int) != link.decision:
            raise StaleDecision(visit.position, [])
        action = read(visit)
        if "sure" not in request.form and reveals(visit.position, link.seat, action):
            return preview_page(visit, action, asked=True)
        move = Move(game=link.game_id, seat=link.seat, decision=link.decision, action=action, door="link")
        played = play(runtime().games, move)
    except REFUSALS as refusal:
        return _refused(visit, refusal)
    return _played_page(visit, action, played)


def _written(visit: Visit) -> Any:
    return _parsed(visit, request.form.get("notation", ""))


def _parsed(visit: Visit, notation: str) -> Any:
    if len(notation) > LONGEST_NOTATION:
        raise Unreadable(f"{notation[:40]} ...")
    return visit.position.ruleset.parse(notation)


def _coded(code: str, visit: Visit) -> Any:
    action = links.meant(visit.position, visit.link.seat, code)
    if action is None:
        raise Unreadable(code[:40])
    return action


def _refused(visit: Visit, refusal: Exception) -> Response:
    games = runtime().games
    with transaction(games.engine) as db:
        now = Visit(visit.link, games.open(db, visit.link.game_id))
        return _not_for_now(db, now, refusal) if now.live else past_page(db, now, 409)


def _not_for_now(db: Connection, visit: Visit, refusal: Exception) -> Response:
    language = visit.language
    if isinstance(refusal, Unreadable):
        return choosing_page(db, visit, 400, refusal=say(language, "unreadable", part=refusal))
    if isinstance(refusal, Illegal):
        return choosing_page(db, visit, 409, refusal=say(language, "illegal", reason=visit.described(refusal)))
    return choosing_page(db, visit, 409, refusal=say(language, "other-decision"))


def _played_page(visit: Visit, action: Any, played: Played) -> Response:
    after = Visit(visit.link, played.position)
    with transaction(runtime().games.engine) as db:
        asks = back_ask(db, after)
        onward = next_address(db, after) if after.to_act else None
    return answer(
        "played.html",
        visit.language,
        title=visit.title,
        action=visit.described(action),
        notation=visit.position.ruleset.notate(action),
        happened=after.told(played.events),
        result=after.result,
        next=onward,
        back_ask=asks,
        base=visit.address,
        table=after.table,
    )
