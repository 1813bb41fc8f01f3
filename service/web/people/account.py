"""Settings of an account: profile, browsers, data, deletion."""

from __future__ import annotations

import json

from flask import Response, make_response, request, url_for
from marshmallow import ValidationError

from schemas.names import fault_of
from schemas.people import ProfileChanged
from service.handlers import delete_account as handlers_delete_account
from service.handlers import sign_in
from service.handlers.people import change_player, welcome
from service.handlers.refusals import HandleChangedOften, HandleTaken, PreconditionFailed
from service.handlers.sign_in import CODE_MINUTES
from service.handlers.tell_owner import tell_of_export
from service.handlers.transaction import transaction
from service.shared import clock
from service.store.access import PlayerRow
from service.store.people import VISIBILITIES
from service.texts.names import is_unnamed
from service.views.account import account_row
from service.views.export import export
from service.views.operation import acts_of_account
from service.web.access.arrival import arrival, own_path, said_name, zones
from service.web.access.sign_in import recently_signed_in
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.post_guard import unless_changed, version_of
from service.web.session import (
    SCRIPT_POLICY,
    Visitor,
    clear_session_cookie,
    current_visitor,
    language,
    page,
    see_other,
    signed_in,
)

_PROFILE = ProfileChanged()
_ASKED = ("name", "language", "time_zone")


@web.get("/settings")
@signed_in
def settings(visitor: Visitor) -> Response:
    return settings_page(200, saved="saved" in request.args)


@web.post("/settings")
@signed_in
def change_profile(visitor: Visitor) -> Response:
    """Change name, handle, language, time zone, and visibility of the profile, to those of the form."""
    sent: dict[str, str | None] = {name: request.form.get(name, "").strip() for name in _ASKED}
    # A page of an older release lacks these fields, and must not remove the handle.
    if "handle" in request.form:
        sent["handle"] = request.form["handle"].strip().removeprefix("@").lower() or None
    if "visibility" in request.form:
        sent["visibility"] = request.form["visibility"]
    if sent["name"] == visitor.name or (not sent["name"] and is_unnamed(visitor.browser.player.name)):
        # An older name may break today's rules; its player can still change everything else.
        del sent["name"]
    games, now = current_runtime().games, clock.now()
    try:
        posted = _PROFILE.load(sent)
        unless_changed(
            lambda db: version_of(*profile_shown(account_row(db, visitor.id)).values()),
            lambda: change_player(games, visitor.id, posted, now),
        )
    except ValidationError as refusal:
        wrong = next(name for name in sent if name in refusal.messages_dict)
        return settings_page(422, refusal=fault_of(refusal) or f"settings-bad-{wrong}")
    except PreconditionFailed:
        return settings_page(412, changed=True)
    except (HandleTaken, HandleChangedOften) as refusal:
        return settings_page(refusal.status, refusal=f"settings-{refusal.code}")
    return see_other(url_for("web.settings", saved=""))


@web.post("/name")
@signed_in
def say_name(visitor: Visitor) -> Response:
    """Store the `name` of the form, or the choice of no name if left empty; go on to `back`."""
    back = own_path(request.form.get("back", "")) or url_for("web.my_games")
    try:
        said = arrival(visitor.language, said_name())
    except ValidationError as refusal:
        return page("people/name.html", 422, refusal=fault_of(refusal) or "join-bad-name", back=back)
    welcome(current_runtime().games, visitor.id, said)
    return see_other(back)


@web.get("/settings/data")
@recently_signed_in(back="web.settings")
def export_account(visitor: Visitor) -> Response:
    """Return all data stored about the player, as a JSON file."""
    runtime, games = current_runtime(), current_runtime().games
    with transaction(games.engine) as db:
        kept = export(db, games, visitor.browser.player, runtime.settings.mail_delay, clock.now())
    if not runtime.mode.read_only:
        tell_of_export(games, visitor.id, clock.now())
    response = make_response(json.dumps(kept, ensure_ascii=False, indent=1))
    response.headers.update(
        {"Content-Type": "application/json", "Content-Disposition": 'attachment; filename="boardroom.json"'}
    )
    return response


@web.post("/settings/delete")
@recently_signed_in(back="web.settings")
def delete_account(visitor: Visitor) -> Response:
    """Delete the account if the form repeats its name (`confirm`)."""
    if request.form.get("confirm", "").strip() != visitor.name:
        return settings_page(422, refusal="settings-bad-confirm")
    handlers_delete_account.delete_account(current_runtime().games, visitor.id, "web", clock.now())
    return clear_session_cookie(see_other(url_for("web.start")))


def profile_shown(player: PlayerRow) -> dict[str, str]:
    """Return the fields of the profile form with their current values."""
    return {
        "name": "" if is_unnamed(player.name) else player.name,
        "handle": player.handle or "",
        "visibility": player.visibility,
        "language": player.language,
        "time_zone": player.time_zone,
    }


def settings_page(
    status: int,
    refusal: str | None = None,
    saved: bool = False,
    code: str | None = None,
    changed: bool = False,
) -> Response:
    """Return the settings page; `code` signs in another device.

    `changed` is true if the profile form was refused because the profile had changed since.
    """
    visitor, known = current_visitor(), {}
    with transaction(current_runtime().games.engine) as db:
        acts = [] if visitor is None else acts_of_account(db, visitor.id, language())
        if visitor is not None:
            known = profile_shown(account_row(db, visitor.id))
    written = {name: text for name, text in request.form.items() if name in known}
    shown = {
        "refusal": refusal,
        "saved": saved,
        "visibilities": VISIBILITIES,
        "known": known,
        "version": version_of(*known.values()),
        "changed": {name: known[name] for name in written if changed and written[name] != known[name]},
        "written": written,
        "acts": acts,
        "code": code,
        "code_minutes": CODE_MINUTES,
    }
    response = page("people/account.html", status, zones=zones(), **shown)
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response


@web.post("/settings/second-question")
@signed_in
def choose_second_question(visitor: Visitor) -> Response:
    """Turn the second question before a reveal on (`asked` in the form) or off."""
    change_player(current_runtime().games, visitor.id, {"asked_twice": "asked" in request.form}, clock.now())
    return see_other(url_for("web.settings", saved=""))


@web.post("/settings/code")
@recently_signed_in(back="web.settings")
def show_sign_in_code(visitor: Visitor) -> Response:
    """Show a new sign-in code of the player, on this page only."""
    return settings_page(200, code=sign_in.give_sign_in_code(current_runtime().games, visitor.id, clock.now()))
