"""Page that opens a game: three big choices with their options, and the button that starts a game at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.lobby import NewGame
from schemas.names import fault_of
from schemas.play import LEVELS, MAX_COMPUTERS
from service.handlers import lobby
from service.handlers.lobby import Plan, people_of, terms_of
from service.handlers.people import newly_met
from service.handlers.refusals import BadOption, NoSuchLevel
from service.players.levels import Level, levels_for
from service.rules.kernel import AnyRuleset, Meta, Option
from service.shared import clock
from service.store.game_row import Terms
from service.texts.games import automaton_name, in_language
from service.web.access.arrival import arrival, keep_own_name, own_nonce
from service.web.blueprint import web
from service.web.lobby.lobby_page import invite_all
from service.web.pace import by_pace, lengths_here, of_short, pace_choices, posted_pace
from service.web.page import admitted, current_runtime
from service.web.play.computers import ALONE, opponents_of, solo_meta, usual_level
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
_ALONE, _COMPUTER, _FRIENDS, _ANYBODY = "alone", "computer", "friends", "anybody"
"""Choices: solo, against computer players, by invitation, open to everybody."""
_ACCESS: Final = {_ALONE: "invitation", _COMPUTER: "invitation", _FRIENDS: "invitation", _ANYBODY: "public"}


@web.get("/games/new")
@signed_in
def show_new_table(visitor: Visitor) -> Response:
    """Show the form for the `ruleset` of the query, or for the first ruleset."""
    return _form(_ruleset(request.args.get("ruleset")), 200)


@web.post("/games/new")
@signed_in
def open_table(visitor: Visitor) -> Response:
    """Open the game of the form, with the visitor as its host, and go to its page."""
    ruleset = _ruleset(request.form.get("ruleset"))
    meta = ruleset.meta
    if not admitted("games", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        keep_own_name(visitor)
        posted = _NEW.load(_posted(meta))
        terms, computers = terms_of(posted, people_of(posted)), posted["computers"]
        plan = Plan(meta.name, posted["seats"], posted["options"], terms, own_nonce(), computers)
        position = lobby.create(current_runtime().games, visitor.id, plan, clock.now())
    except ValidationError as refusal:
        wrong = next(
            (f"new-bad-{each}" for each in ("pace", "computers") if each in refusal.messages_dict), "new-bad-form"
        )
        return _form(ruleset, 422, fault_of(refusal) or wrong)
    except NoSuchLevel:
        return _form(ruleset, 422, "new-bad-computers")
    except BadOption as refusal:
        known = {"seats": "new-bad-seats", "access": "new-bad-access", "computers": "new-bad-computers"}
        return _form(ruleset, 422, known.get(refusal.name, "new-bad-option"))
    if request.form.get("kind") == _FRIENDS:
        return invite_all(visitor, position.game.id, request.form.get("emails", "").split())
    return see_other(_address(position.game.id))


@web.post("/play")
def play() -> Response:
    """Start a solo game or a game `with` a computer, and go there; for a game `with` friends, go to the form.

    A stranger becomes a guest. `ruleset` is the game; by default the first for one player. `zone` is the browser's time
    zone.
    """
    visitor, games, now, spoken = current_visitor(), current_runtime().games, clock.now(), language()
    if not passes_csrf_check(visitor):
        return page("notice.html", 403, notice="form-refused")
    known = None if visitor is None else visitor.id
    if not admitted("games" if visitor else "players", known):
        return page("notice.html", 429, notice="too-often")
    if known is not None:
        return see_other(_begun(known))
    guest, secret = newly_met(games, arrival(spoken), now)
    return set_session_cookie(see_other(_begun(guest)), secret)


def _begun(player: UUID) -> str:
    """Return the address to go to: a game that has begun, or the form."""
    ruleset, company = _ruleset(request.form.get("ruleset")), request.form.get("with")
    meta = ruleset.meta
    if company == _COMPUTER and (opponents := opponents_of(ruleset)):
        seats = opponents[0] + 1
        level = usual_level(levels_for(ruleset, seats))
        return _opened(player, Plan(meta.name, seats, {}, Terms(), own_nonce(), (level,) * opponents[0]))
    if company is not None:
        return url_for("web.show_new_table", ruleset=meta.name)
    alone = meta if ALONE in meta.seats else solo_meta()
    if alone is None:
        return url_for("web.show_new_table")
    return _opened(player, Plan(alone.name, ALONE, {}, Terms(start="full"), own_nonce()))


def _opened(player: UUID, plan: Plan) -> str:
    return _address(lobby.create(current_runtime().games, player, plan, clock.now()).game.id)


def _address(game: UUID) -> str:
    return url_for("web.show_game", game_id=game)


def _ruleset(name: str | None) -> AnyRuleset:
    rulesets = current_runtime().games.rulesets
    return rulesets.get(name or _UNSAID, next(iter(rulesets.values())))


def _form(ruleset: AnyRuleset, status: int, refusal: str | None = None) -> Response:
    meta, spoken, opponents = ruleset.meta, language(), opponents_of(ruleset)
    kinds, lengths = _kinds(meta, opponents), lengths_here()
    shorter = of_short(lengths, meta)
    response = page(
        "lobby/new_table.html",
        status,
        meta=meta,
        opponent=automaton_name(meta, ALONE, spoken),
        kinds=kinds,
        chosen=request.form.get("kind", kinds[-1] if len(kinds) == 1 else "friends"),
        several=[seats for seats in meta.seats if seats > ALONE],
        opponents=opponents,
        levels=_levels(ruleset, opponents),
        summary=in_language(meta.summary, spoken),
        options=[
            (each, " ".join(filter(None, (in_language(each.describe, spoken), shorter.get(each.name)))))
            for each in meta.options
        ],
        rulesets={name: each.meta.title for name, each in current_runtime().games.rulesets.items()},
        refusal=refusal,
        written=request.form,
        **pace_choices(by_pace(lengths, meta)),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response


def _levels(ruleset: AnyRuleset, opponents: Sequence[int]) -> dict[Level, Sequence[int]]:
    """Return the levels with their numbers of opponents; an empty number list means every number."""
    numbers = {level: [each for each in opponents if level in levels_for(ruleset, each + 1)] for level in LEVELS}
    return {level: () if found == opponents else found for level, found in numbers.items() if found}


def _kinds(meta: Meta, opponents: Sequence[int]) -> list[str]:
    """Return the choices that a game offers."""
    among = [_FRIENDS, _ANYBODY] if max(meta.seats) > ALONE else []
    return [*([_ALONE] if ALONE in meta.seats else []), *([_COMPUTER] if opponents else []), *among]


def _posted(meta: Meta) -> dict[str, Any]:
    """Return the form in the shape of the API's request body."""
    form = request.form
    chosen = {name: form[name] for name in ("start", "on_resignation") if name in form}
    kind = form.get("kind", _UNSAID)
    opponents = form.get("opponents", 0, type=int) if kind == _COMPUTER else 0
    seats = str(ALONE) if kind == _ALONE else form.get("seats", "")
    seats = str(ALONE + opponents) if kind == _COMPUTER else seats
    return {
        "ruleset": meta.name,
        "seats": int(seats) if seats.isascii() and seats.isdigit() and len(seats) < 3 else seats,
        "name": form.get("name", "").strip() or None,
        "access": _ACCESS.get(kind, kind),
        "spectators": "spectators" in form,
        "training": "training" in form,
        "options": {each.name: _value(each, form.get(f"option-{each.name}", _UNSAID)) for each in meta.options},
        "computers": [form.get("level", _UNSAID)] * min(max(opponents, 1), MAX_COMPUTERS) if kind == _COMPUTER else [],
        **chosen,
        # An omitted `rated` means the default: rated if possible.
        **({} if "rated" in form else {"rated": False}),
        # A solo game has no clock, whatever the form says.
        **({"start": "full"} if kind in (_ALONE, _COMPUTER) else posted_pace(form)),
    }


def _value(option: Option, said: str) -> bool | int | str | None:
    if option.type == "boolean":
        return said == "yes"
    return int(said) if said.isascii() and said.isdigit() and len(said) < 3 else said or None
