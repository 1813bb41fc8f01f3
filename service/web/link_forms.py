"""The forms behind a mailed link that play no action: mail a fresh link, replace all links, take an action back."""

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
from service.web.form_sent import BUTTON_FIELD, requires_form
from service.web.inactive_link import inactive_page
from service.web.link_table import taken_back_page
from service.web.opened_link import OpenedLink, open_link
from service.web.page import admitted, current_runtime, render, unknown_page, visitor_language
from service.web.player_only import player_only
from service.web.take_back import take_back_window, wish
from service.web.turn import show_link

WHY_NOT: Final[Mapping[type[Exception], str]] = {
    NothingToTakeBack: "back-nothing",
    NotRunning: "back-nothing",
    CannotBeTakenBack: "back-shown",
}


@web.post("/t/<token>/link/fresh")
@requires_form(show_link, BUTTON_FIELD)
def request_fresh_link(token: str) -> Response:
    """Mail a fresh link; the answer is the same whether the token was ever valid or not."""
    language = visitor_language()
    if not admitted("fresh-link"):
        return render("notice.html", language, 429, notice="too-often")
    fresh_links.ask(current_runtime().games, token, clock.now())
    return render("notice.html", language, notice="fresh-done")


@web.get("/t/<token>/link/others")
@player_only
def offer_replacement(token: str) -> Response:
    """Show the button that replaces all links of the player to this game."""
    with transaction(current_runtime().games.engine) as db:
        opened = open_link(db, token)
        if opened is None or not opened.works:
            return unknown_page() if opened is None else inactive_page(db, opened, 410)
    return render("others.html", opened.language, title=opened.title, base=opened.address)


@web.post("/t/<token>/link/others")
@requires_form(offer_replacement, BUTTON_FIELD)
@player_only
def replace_links(token: str) -> Response:
    """Revoke all links of the player to this game, and mail a new one."""
    with transaction(current_runtime().games.engine) as db:
        opened = open_link(db, token)
        if opened is None or not opened.works:
            return unknown_page() if opened is None else inactive_page(db, opened, 409)
    fresh_links.replace(current_runtime().games, opened.link.game_id, opened.link.player_id, clock.now())
    return render("notice.html", opened.language, notice="seen-done")


@web.post("/t/<token>/link/back")
@requires_form(show_link, BUTTON_FIELD)
@player_only
def take_back_answer(token: str) -> Response:
    """Take back the action with which the seat answered the link's decision, and show a link to the open decision."""
    games = current_runtime().games
    with transaction(games.engine) as db:
        opened = open_link(db, token)
        if opened is None or not opened.works:
            return unknown_page() if opened is None else inactive_page(db, opened, 409)
    try:
        after = take_back(games, wish(opened), take_back_window(), clock.now()).position
    except REFUSALS as refusal:
        return render("not_back.html", opened.language, 409, title=opened.title, why=_why(refusal), base=opened.address)
    with transaction(games.engine) as db:
        return taken_back_page(db, OpenedLink(opened.link, after))


def _why(refusal: Exception) -> str:
    if isinstance(refusal, TooLateToTakeBack):
        return f"back-{refusal.reason}"
    return WHY_NOT[type(refusal)]
