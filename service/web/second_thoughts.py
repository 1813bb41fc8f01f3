"""What one may wish behind a link besides playing: another link, other links for all, an action back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flask import Response

from service.handlers import fresh_links
from service.handlers.refusals import CannotBeTakenBack, NothingToTakeBack, NotRunning, TooLateToTakeBack
from service.handlers.take_back import REFUSALS, take_back
from service.handlers.transaction import transaction
from service.shared import clock
from service.web.blueprint import web
from service.web.own_links import for_its_player
from service.web.page import admitted, answer, runtime, unknown_page, visitor_language
from service.web.past import past_page
from service.web.pressed import PRESS, only_pressed
from service.web.turn import show_link
from service.web.undoing import window, wish
from service.web.visit import Visit, next_address, visit_to

WHY_NOT: Final[Mapping[type[Exception], str]] = {
    NothingToTakeBack: "back-nothing",
    NotRunning: "back-nothing",
    CannotBeTakenBack: "back-shown",
}


@web.post("/t/<token>/link/fresh")
@only_pressed(show_link, PRESS)
def ask_fresh_link(token: str) -> Response:
    """Have a fresh link mailed; the answer is the same for every link, and for what never was one."""
    language = visitor_language()
    if not admitted("fresh-link"):
        return answer("notice.html", language, 429, notice="too-often")
    fresh_links.ask(runtime().games, token, clock.now())
    return answer("notice.html", language, notice="fresh-done")


@web.get("/t/<token>/link/others")
@for_its_player
def offer_replacement(token: str) -> Response:
    """Show the button that has the player's links replaced."""
    with transaction(runtime().games.engine) as db:
        visit = visit_to(db, token)
        if visit is None or not visit.works:
            return unknown_page() if visit is None else past_page(db, visit, 410)
    return answer("others.html", visit.language, title=visit.title, base=visit.address)


@web.post("/t/<token>/link/others")
@only_pressed(offer_replacement, PRESS)
@for_its_player
def replace_links(token: str) -> Response:
    """Take all links of the player to this game out of use, and have a new one mailed."""
    with transaction(runtime().games.engine) as db:
        visit = visit_to(db, token)
        if visit is None or not visit.works:
            return unknown_page() if visit is None else past_page(db, visit, 409)
    fresh_links.replace(runtime().games, visit.link.game_id, visit.link.player_id, clock.now())
    return answer("notice.html", visit.language, notice="seen-done")


@web.post("/t/<token>/link/back")
@only_pressed(show_link, PRESS)
@for_its_player
def take_action_back(token: str) -> Response:
    """Take back what the link's seat has played in answer to the link's decision, and show the way on."""
    games = runtime().games
    with transaction(games.engine) as db:
        visit = visit_to(db, token)
        if visit is None or not visit.works:
            return unknown_page() if visit is None else past_page(db, visit, 409)
    try:
        after = Visit(visit.link, take_back(games, wish(visit), window(), clock.now()).position)
    except REFUSALS as refusal:
        return answer("not_back.html", visit.language, 409, title=visit.title, why=_why(refusal), base=visit.address)
    with transaction(games.engine) as db:
        onward = next_address(db, after)
    return answer("back.html", visit.language, title=visit.title, next=onward, table=after.table)


def _why(refusal: Exception) -> str:
    if isinstance(refusal, TooLateToTakeBack):
        return f"back-{refusal.reason}"
    return WHY_NOT[type(refusal)]
