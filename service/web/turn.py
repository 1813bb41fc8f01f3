"""The page behind the link of a turn mail: GET shows, and changes nothing at all; POST plays.

The link is the only credential here: no cookie, no session, no script.
"""

from __future__ import annotations

from typing import Any, Final

from flask import Response, request, url_for
from sqlalchemy import Connection

from service import clock
from service.handlers import links
from service.handlers.play import Move, Played, play
from service.handlers.refusals import NotRunning, NotYourTurn, StaleDecision
from service.handlers.transaction import transaction
from service.mail.compose import board, greeting
from service.mail.menu import by_kind
from service.mail.texts import say
from service.rules.kernel import Illegal, Unreadable
from service.views.history import recap
from service.views.table import choices
from service.web.answers import answer, runtime, unknown_page
from service.web.past import past_page
from service.web.visit import Visit

LONGEST_NOTATION: Final = 500
REFUSALS: Final = (StaleDecision, NotYourTurn, NotRunning, Unreadable, Illegal)


def show_link(token: str) -> Response:
    """Show the table and the legal actions, or why there are none any more."""
    with transaction(runtime().games.engine) as db:
        visit = _visit(db, token)
        if visit is None:
            return unknown_page()
        return _turn_page(db, visit, 200) if visit.live else past_page(db, visit, 410)


def play_link(token: str) -> Response:
    """Play the action of the form (`notation`, `decision`), and show what came of it."""
    with transaction(runtime().games.engine) as db:
        visit = _visit(db, token)
        if visit is None:
            return unknown_page()
        if not visit.live:
            return past_page(db, visit, 409)
    try:
        action = _action(visit)
        played = _play(visit, action)
    except REFUSALS as refusal:
        return _refused(visit, refusal)
    return _played_page(visit, action, played)


def _visit(db: Connection, token: str) -> Visit | None:
    link = links.resolve(db, token)
    return None if link is None else Visit(link, runtime().games.open(db, link.game_id))


def _action(visit: Visit) -> Any:
    if request.form.get("decision", type=int) != visit.link.decision:
        raise StaleDecision(visit.position, [])
    notation = request.form.get("notation", "")
    if len(notation) > LONGEST_NOTATION:
        raise Unreadable(f"{notation[:40]} ...")
    return visit.position.ruleset.parse(notation)


def _play(visit: Visit, action: Any) -> Played:
    link = visit.link
    move = Move(game=link.game_id, seat=link.seat, decision=link.decision, action=action, door="link")
    return play(runtime().games, move)


def _refused(visit: Visit, refusal: Exception) -> Response:
    games, language = runtime().games, visit.language
    with transaction(games.engine) as db:
        now = Visit(visit.link, games.open(db, visit.link.game_id))
        if not now.live:
            return past_page(db, now, 409)
        if isinstance(refusal, Unreadable):
            return _turn_page(db, now, 400, say(language, "unreadable", part=refusal))
        if isinstance(refusal, Illegal):
            return _turn_page(db, now, 409, say(language, "illegal", reason=now.described(refusal)))
        return _turn_page(db, now, 409, say(language, "other-decision"))


def _turn_page(db: Connection, visit: Visit, status: int, refusal: str | None = None) -> Response:
    position, link = visit.position, visit.link
    legal = choices(position, link.seat, visit.rules_language)
    return answer(
        "turn.html",
        visit.language,
        status,
        title=visit.title,
        greeting=greeting(position, link.seat),
        refusal=refusal,
        recap=recap(db, runtime().games, position, link.seat, visit.rules_language),
        board=board(position, link.seat),
        groups=by_kind(legal),
        count=len(legal),
        decision=link.decision,
        action=request.path,
        written=request.form.get("notation", "")[:LONGEST_NOTATION],
    )


def _played_page(visit: Visit, action: Any, played: Played) -> Response:
    after = Visit(visit.link, played.position)
    return answer(
        "played.html",
        visit.language,
        title=visit.title,
        action=visit.described(action),
        notation=visit.position.ruleset.notate(action),
        happened=after.told(played.events),
        result=after.result,
        next=_next_link(after) if after.to_act else None,
        board=board(after.position, visit.link.seat),
    )


def _next_link(visit: Visit) -> str:
    """The address of the decision that the same seat has to take now, so that it need not wait for a mail."""
    position, link = visit.position, visit.link
    decision = position.decision
    with transaction(runtime().games.engine) as db:
        token = links.issue(db, link.game_id, link.seat, decision, clock.now())
    return url_for("web.show_link", token=token)
