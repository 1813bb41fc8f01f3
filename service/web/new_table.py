"""The page that opens a game: three big choices, what goes with each, and the button that starts a game at once."""

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
from service.web.account import keep_zone
from service.web.blueprint import web
from service.web.first_page import ALONE, solo_meta
from service.web.lobby_page import invite_all
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
_ALONE, _FRIENDS, _ANYBODY = "alone", "friends", "anybody"
"""The three choices: a game for one, one by invitation, and one that everybody may join."""
_ACCESS: Final = {_ALONE: "invitation", _FRIENDS: "invitation", _ANYBODY: "public"}


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
    if request.form.get("kind") == _FRIENDS:
        return invite_all(visitor, position.game.id, request.form.get("emails", "").split())
    return see_other(_address(position.game.id))


@web.post("/play")
def play() -> Response:
    """Start a game alone and go there, or go to the form of a game `with` friends; a stranger becomes a guest.

    `ruleset` is the game, the first one for one player if it names none. `zone` is the time zone of the browser.
    """
    visitor, games, now, spoken = current_visitor(), current_runtime().games, clock.now(), language()
    if not passes_csrf_check(visitor):
        return page("notice.html", 403, notice="form-refused")
    known = None if visitor is None else visitor.id
    if not admitted("games" if visitor else "players", known):
        return page("notice.html", 429, notice="too-often")
    if known is not None:
        return see_other(_begun(known))
    guest, secret = newly_met(games, newcomer(spoken), spoken, now)
    keep_zone(guest)
    return set_session_cookie(see_other(_begun(guest)), secret)


def _begun(player: UUID) -> str:
    """Return where the player goes on: a game that has begun for one, or the form."""
    meta = _meta(request.form.get("ruleset"))
    if "with" in request.form:
        return url_for("web.show_new_table", ruleset=meta.name)
    alone = meta if ALONE in meta.seats else solo_meta()
    if alone is None:
        return url_for("web.show_new_table")
    plan = Plan(alone.name, ALONE, {}, Terms(start="full"), own_nonce())
    return _address(lobby.create(current_runtime().games, player, plan, clock.now()).game.id)


def _address(game: UUID) -> str:
    return url_for("web.show_game", game_id=game)


def _meta(name: str | None) -> Meta:
    rulesets = current_runtime().games.rulesets
    return rulesets.get(name or _UNSAID, next(iter(rulesets.values()))).meta


def _form(meta: Meta, status: int, refusal: str | None = None) -> Response:
    spoken, alone, several = language(), ALONE in meta.seats, max(meta.seats) > ALONE
    kinds = [*([_ALONE] if alone else []), *([_FRIENDS, _ANYBODY] if several else [])]
    response = page(
        "new_table.html",
        status,
        meta=meta,
        opponent=automaton_name(meta, ALONE, spoken),
        kinds=kinds,
        chosen=request.form.get("kind", kinds[-1] if len(kinds) == 1 else "friends"),
        several=[seats for seats in meta.seats if seats > ALONE],
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
    chosen = {name: form[name] for name in ("start", "on_resignation") if name in form}
    kind = form.get("kind", _UNSAID)
    seats = str(ALONE) if kind == _ALONE else form.get("seats", "")
    return {
        "ruleset": meta.name,
        "seats": int(seats) if seats.isascii() and seats.isdigit() and len(seats) < 3 else seats,
        "name": form.get("name", "").strip() or None,
        "access": _ACCESS.get(kind, kind),
        "spectators": "spectators" in form,
        "options": {each.name: _value(each, form.get(f"option-{each.name}", _UNSAID)) for each in meta.options},
        **chosen,
        # A game for one has no clock, whatever the form says of it.
        **({"start": "full"} if seats == str(ALONE) else posted_pace(form)),
    }


def _value(option: Option, said: str) -> bool | int | str | None:
    if option.type == "boolean":
        return said == "yes"
    return int(said) if said.isascii() and said.isdigit() and len(said) < 3 else said or None
