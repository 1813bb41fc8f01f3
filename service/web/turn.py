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
from service.handlers.play import Move, Played, play
from service.handlers.presence import come_back, is_absent
from service.handlers.refusals import NotRunning, NotSeated, NotYourTurn, StaleDecision
from service.handlers.transaction import transaction
from service.rules.kernel import Illegal, Unreadable
from service.texts.catalog import say
from service.views.dry_run import reveals
from service.views.steps import step
from service.web.blueprint import web
from service.web.choosing import LONGEST_NOTATION, choosing_page, kind_page
from service.web.form_sent import requires_form
from service.web.inactive_link import inactive_page
from service.web.opened_link import OpenedLink, next_address, open_link
from service.web.page import current_runtime, render, unknown_page
from service.web.player_only import player_only
from service.web.preview import preview_page
from service.web.take_back import take_back_offer

REFUSALS: Final = (StaleDecision, NotYourTurn, NotRunning, Unreadable, Illegal)
LONGEST_PATH: Final = 100


@web.get("/t/<token>")
@player_only
def show_link(token: str) -> Response:
    """Show the table with the legal actions, the preview of an action, or why the link cannot play any more.

    In the query, `way` has the numbers of the answers picked so far, with full stops between them; `notation` is a
    whole action.
    """
    with transaction(current_runtime().games.engine) as db:
        opened = open_link(db, token)
        if opened is None or not opened.live:
            return unknown_page() if opened is None else inactive_page(db, opened, 410)
        if "notation" in request.args:
            return _preview(db, opened, request.args["notation"])
        try:
            reached = step(opened.position, opened.link.seat, _path(), opened.rules_language)
        except ValueError:
            return choosing_page(db, opened, 404, refusal=say(opened.language, "ahead-impossible"))
        if reached.action is None:
            return choosing_page(db, opened, 200, reached)
        # Picking the action was the first press; an action that cannot be taken back needs this second one.
        return preview_page(opened, reached.action, confirming=bool(reached.path))


@web.get("/t/<token>/<code>")
@player_only
def show_move(token: str, code: str) -> Response:
    """Show the preview of an action; `code` is its notation as `links.code` writes it."""
    with transaction(current_runtime().games.engine) as db:
        opened = open_link(db, token)
        if opened is None or not opened.live:
            return unknown_page() if opened is None else inactive_page(db, opened, 410)
        action = links.meant(opened.position, opened.link.seat, code)
        if action is None:
            return choosing_page(db, opened, 404, refusal=say(opened.language, "ahead-impossible"))
        return preview_page(opened, action)


@web.get("/t/<token>/all/<int:number>")
@player_only
def show_kind(token: str, number: int) -> Response:
    """Show all actions of a kind as buttons; `number` counts the kinds from 1, as the mail does."""
    with transaction(current_runtime().games.engine) as db:
        opened = open_link(db, token)
        if opened is None or not opened.live:
            return unknown_page() if opened is None else inactive_page(db, opened, 410)
        return kind_page(opened, number) or choosing_page(
            db, opened, 404, refusal=say(opened.language, "ahead-impossible")
        )


@web.post("/t/<token>")
@requires_form(show_link, "decision")
@player_only
def play_link(token: str) -> Response:
    """Play the action of the form (`notation`, `decision`), and show what it has caused.

    An action that reveals something hidden is played only with `sure` in the form; else the page asks once more.
    """
    return _play(token, _by_notation)


@web.post("/t/<token>/<code>")
@requires_form(show_move, "decision")
@player_only
def play_move(token: str, code: str) -> Response:
    """Play the action that `code` names in answer to the form's `decision`, as `play_link` does."""
    return _play(token, partial(_by_code, code))


def _preview(db: Connection, opened: OpenedLink, notation: str) -> Response:
    try:
        return preview_page(opened, _parsed(opened, notation))
    except (Unreadable, Illegal) as refusal:
        return _refusal_page(db, opened, refusal)


def _path() -> tuple[int, ...]:
    written = request.args.get("way", "")[:LONGEST_PATH]
    return tuple(map(int, written.split("."))) if written else ()


def _play(token: str, read: Callable[[OpenedLink], Any]) -> Response:
    opened = _opened_by_its_player(token)
    if opened is None:
        return unknown_page()
    if not opened.live:
        with transaction(current_runtime().games.engine) as db:
            return inactive_page(db, opened, 409)
    link = opened.link
    try:
        if request.form.get("decision", type=int) != link.decision:
            raise StaleDecision(opened.position, [])
        action = read(opened)
        if "sure" not in request.form and reveals(opened.position, link.seat, action):
            return preview_page(opened, action, confirming=True)
        move = Move(
            game=link.game_id, seat=link.seat, decision=link.decision, action=action, door="link", player=link.player_id
        )
        played = play(current_runtime().games, move)
    except REFUSALS as refusal:
        return _refused(opened, refusal)
    except NotSeated:
        # Another person has just taken the seat over.
        return unknown_page()
    return _played_page(opened, action, played)


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
    return _parsed(opened, request.form.get("notation", ""))


def _parsed(opened: OpenedLink, notation: str) -> Any:
    if len(notation) > LONGEST_NOTATION:
        raise Unreadable(f"{notation[:40]} ...")
    return opened.position.ruleset.parse(notation)


def _by_code(code: str, opened: OpenedLink) -> Any:
    action = links.meant(opened.position, opened.link.seat, code)
    if action is None:
        raise Unreadable(code[:40])
    return action


def _refused(opened: OpenedLink, refusal: Exception) -> Response:
    games = current_runtime().games
    with transaction(games.engine) as db:
        now = OpenedLink(opened.link, games.open(db, opened.link.game_id))
        return _refusal_page(db, now, refusal) if now.live else inactive_page(db, now, 409)


def _refusal_page(db: Connection, opened: OpenedLink, refusal: Exception) -> Response:
    language = opened.language
    if isinstance(refusal, Unreadable):
        return choosing_page(db, opened, 400, refusal=say(language, "unreadable", part=refusal))
    if isinstance(refusal, Illegal):
        return choosing_page(db, opened, 409, refusal=say(language, "illegal", reason=opened.described(refusal)))
    return choosing_page(db, opened, 409, refusal=say(language, "other-decision"))


def _played_page(opened: OpenedLink, action: Any, played: Played) -> Response:
    after = OpenedLink(opened.link, played.position)
    with transaction(current_runtime().games.engine) as db:
        asks = take_back_offer(db, after)
        onward = next_address(db, after) if after.to_act else None
    return render(
        "played.html",
        opened.language,
        title=opened.title,
        meta=opened.position.ruleset.meta,
        action=opened.described(action),
        notation=opened.position.ruleset.notate(action),
        happened=after.sentences(played.events),
        result=after.result,
        next=onward,
        take_back_offer=asks,
        base=opened.address,
        table=after.table,
    )
