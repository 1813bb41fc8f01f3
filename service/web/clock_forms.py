"""The forms about the clock of a game, at its page and behind mailed links: more time for others, and *I am back*."""

from __future__ import annotations

from uuid import UUID

from flask import Response, request

from service.handlers.presence import come_back, return_to
from service.handlers.refusals import NotSeated
from service.handlers.time_given import give_time
from service.handlers.transaction import transaction
from service.web.blueprint import web
from service.web.form_sent import BUTTON_FIELD, requires_form
from service.web.inactive_link import inactive_page
from service.web.opened_link import open_link
from service.web.page import current_runtime, render, unknown_page
from service.web.player_only import player_only
from service.web.session import Visitor, signed_in
from service.web.table_forms import carry_out
from service.web.turn import show_link


@web.post("/games/<uuid:game_id>/time")
@signed_in
def give_more_time(visitor: Visitor, game_id: UUID) -> Response:
    """Give the `seat` of the form its free time once more."""

    def perform() -> str:
        seat = request.form.get("seat", -1, type=int)
        give_time(current_runtime().games, game_id, visitor.id, seat, "web")
        return ""

    return carry_out(visitor, game_id, perform)


@web.post("/games/<uuid:game_id>/back")
@signed_in
def say_back(visitor: Visitor, game_id: UUID) -> Response:
    """Note that the player is back after an absence."""

    def perform() -> str:
        return_to(current_runtime().games, game_id, visitor.id, "web")
        return ""

    return carry_out(visitor, game_id, perform)


@web.post("/t/<token>/link/back-again")
@requires_form(show_link, BUTTON_FIELD)
@player_only
def say_back_by_link(token: str) -> Response:
    """Note that the player of the link is back after an absence."""
    games = current_runtime().games
    with transaction(games.engine) as db:
        opened = open_link(db, token)
        if opened is None or not opened.works:
            return unknown_page() if opened is None else inactive_page(db, opened, 409)
    link = opened.link
    try:
        come_back(games, link.game_id, link.seat, link.player_id, "link")
    except NotSeated:
        # Another person has just taken the seat over.
        return unknown_page()
    return render("notice.html", opened.language, notice="absent-done")
