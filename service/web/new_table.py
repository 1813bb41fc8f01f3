"""The page that opens a game: the form with all choices of a host, and the button that starts a solo game."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.lobby import NewGame
from schemas.names import fault_of
from service.handlers import lobby
from service.handlers.lobby import Plan
from service.handlers.players import newly_met
from service.handlers.refusals import BadOption
from service.handlers.terms import terms_of
from service.rules.kernel import Meta, Option
from service.shared import clock
from service.store.game_row import Terms
from service.texts.names import automaton_name, in_language, newcomer
from service.web.blueprint import web
from service.web.nonce import own_nonce
from service.web.pace_form import pace_choices, posted_pace
from service.web.page import admitted, current_runtime
from service.web.session import (
    SCRIPT_POLICY,
    Visitor,
    current_visitor,
    language,
    page,
    passes_csrf_check,
    see_other,
    set_session_cookie,
    signed_in,
)

_NEW = NewGame()
_UNSAID: Final = ""


@web.get("/games/new")
@signed_in
def show_new_table(visitor: Visitor) -> Response:
    """Show the form for the `ruleset` of the query, or for the first one."""
    return _form(_meta(request.args.get("ruleset")), 200)


@web.post("/games/new")
@signed_in
def open_table(visitor: Visitor) -> Response:
    """Open the game of the form, with the visitor as its host, and go there."""
    meta = _meta(request.form.get("ruleset"))
    if not admitted("games", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        posted = _NEW.load(_posted(meta))
        terms = terms_of(posted, posted["seats"])
        plan = Plan(meta.name, posted["seats"], posted["options"], terms, own_nonce())
        position = lobby.create(current_runtime().games, visitor.id, plan, clock.now())
    except ValidationError as refusal:
        wrong = "new-bad-pace" if "pace" in refusal.messages_dict else "new-bad-form"
        return _form(meta, 422, fault_of(refusal) or wrong)
    except BadOption as refusal:
        known = {"seats": "new-bad-seats", "access": "new-bad-access"}
        return _form(meta, 422, known.get(refusal.name, "new-bad-option"))
    return see_other(url_for("web.show_game", game_id=position.game.id))


@web.post("/play")
def play_solo() -> Response:
    """Start a solo game against the automaton and go there; a visitor who is not signed in becomes a guest."""
    visitor, games, now, spoken = current_visitor(), current_runtime().games, clock.now(), language()
    if not passes_csrf_check(visitor):
        return page("notice.html", 403, notice="form-refused")
    known = None if visitor is None else visitor.id
    if not admitted("games" if visitor else "players", known):
        return page("notice.html", 429, notice="too-often")
    plan = Plan(solo_meta().name, 1, {}, Terms(start="full"), own_nonce())
    if known is not None:
        return see_other(_address(lobby.create(games, known, plan, now).game.id))
    guest, secret = newly_met(games, newcomer(spoken), spoken, now)
    return set_session_cookie(see_other(_address(lobby.create(games, guest, plan, now).game.id)), secret)


def solo_meta() -> Meta:
    """Return the first ruleset that one player can play."""
    return next(each.meta for each in current_runtime().games.rulesets.values() if 1 in each.meta.seats)


def _address(game: UUID) -> str:
    return url_for("web.show_game", game_id=game)


def _meta(name: str | None) -> Meta:
    rulesets = current_runtime().games.rulesets
    return rulesets.get(name or _UNSAID, next(iter(rulesets.values()))).meta


def _form(meta: Meta, status: int, refusal: str | None = None) -> Response:
    spoken = language()
    response = page(
        "new_table.html",
        status,
        meta=meta,
        automata={seats: automaton_name(meta, seats, spoken) for seats in meta.seats},
        summary=in_language(meta.summary, spoken),
        options=[(each, in_language(each.describe, spoken)) for each in meta.options],
        rulesets={name: each.meta.title for name, each in current_runtime().games.rulesets.items()},
        refusal=refusal,
        written=request.form,
        **pace_choices(),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response


def _posted(meta: Meta) -> dict[str, Any]:
    """Return the form in the shape of the API's request body."""
    form = request.form
    chosen = {name: form[name] for name in ("access", "start", "on_resignation") if name in form}
    seats = form.get("seats", "")
    return {
        "ruleset": meta.name,
        "seats": int(seats) if seats.isascii() and seats.isdigit() and len(seats) < 3 else seats,
        "name": form.get("name", "").strip() or None,
        "spectators": "spectators" in form,
        "options": {each.name: _value(each, form.get(f"option-{each.name}", _UNSAID)) for each in meta.options},
        **chosen,
        # A game for one has no clock, whatever the form says of it.
        **({} if seats == "1" else posted_pace(form)),
    }


def _value(option: Option, said: str) -> bool | int | str | None:
    if option.type == "boolean":
        return said == "yes"
    return int(said) if said.isascii() and said.isdigit() and len(said) < 3 else said or None
