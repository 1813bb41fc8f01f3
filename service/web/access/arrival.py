"""Arrival at a browser: name and time zone from the form, and the games of a guest who played at the browser."""

from __future__ import annotations

import re
from functools import cache
from zoneinfo import available_timezones

from flask import Response, request, url_for
from marshmallow import ValidationError
from werkzeug.exceptions import BadRequest

from schemas.lobby import OwnNonce
from schemas.people import NewPlayer
from service.handlers import sessions
from service.handlers.guest_games import MovedGames, NamedTable, SeatedTwice, bring
from service.handlers.people import Arrival, change_player, welcome
from service.rules.pace import is_public_zone
from service.shared import clock
from service.web.page import current_runtime, render
from service.web.session import Visitor, current_visitor, language, page, see_other, set_session_cookie

_NAME = NewPlayer(only=("name",))
_OWN_PATH = re.compile(r"/(?![/\\])[\w/?=&.%+~-]{0,3000}", re.ASCII)
LEAVE = "leave"
"""Field of a sign-in form that leaves a guest's games behind."""


@cache
def zones() -> list[str]:
    """Return the IANA names of the time zones to choose from."""
    return sorted(filter(is_public_zone, available_timezones()))


def arrival(spoken: str, name: str | None = None) -> Arrival:
    """Return the form's time zone and the `name`, None if the form does not ask for a name."""
    zone = request.form.get("zone")
    return Arrival(spoken, name, zone if zone in zones() else None)


def said_name(field: str = "name") -> str | None:
    """Return the name in the form, "" if left empty, None if the form does not ask for a name; ValidationError."""
    name = request.form.get(field)
    if name is None or not name.strip():
        return None if name is None else ""
    said: str = _NAME.load({"name": name.strip()})["name"]
    return said


def keep_own_name(visitor: Visitor) -> None:
    """Give a visitor without a name the `own_name` of a form that invites others; ValidationError."""
    name = said_name("own_name")
    if name and visitor.unnamed:
        change_player(current_runtime().games, visitor.id, {"name": name}, clock.now())


def come_in(secret: str, back: str) -> Response:
    """Sign the browser in with a new session, and go to `back`; a guest's games move along unless the form has `leave`.

    If the games cannot move, the guest stays signed in, and the page says why.
    """
    games, before, now = current_runtime().games, current_visitor(), clock.now()
    account = sessions.recognise(games, secret)
    if account is not None:
        welcome(games, account.player.id, arrival(account.player.language))
    if before is None or not before.guest or LEAVE in request.form:
        return entered(secret, back, MovedGames())
    if account is None or account.player.id == before.id:
        return entered(secret, back, MovedGames())
    try:
        moved = bring(games, before.id, account.player.id, now)
    except SeatedTwice as twice:
        sessions.sign_out(games, account, now)
        email = account.player.email
        return page("access/seated_twice.html", 409, guest=before.name, email=email, tables=called(twice.tables))
    return entered(secret, back, moved)


def entered(secret: str, back: str, moved: MovedGames) -> Response:
    """Replace the browser's session by the new one, and go to `back`, or list the games that did not move."""
    before = current_visitor()
    if before is not None:
        sessions.sign_out(current_runtime().games, before.browser, clock.now())
    if moved.whole:
        return set_session_cookie(see_other(back), secret)
    # The head of the site is left out: it would still be the guest's.
    told = render("access/guest_games_moved.html", language(), back=back, tables=called(moved.stayed), moved=moved)
    return set_session_cookie(told, secret)


def called(tables: tuple[NamedTable, ...]) -> list[tuple[str, str]]:
    """Return the names of tables with their addresses."""
    rulesets = current_runtime().games.rulesets
    return [
        (each.name or rulesets[each.ruleset].meta.title, url_for("web.show_game", game_id=each.id)) for each in tables
    ]


def own_path(written: str) -> str | None:
    """Return the path if it is a path of this site, else None."""
    # Two slashes would begin the name of another host.
    return written if _OWN_PATH.fullmatch(written) else None


_OWN = OwnNonce()


def own_nonce() -> str | None:
    """Return the `nonce` of the form, or None if no script has drawn a nonce; BadRequest if malformed."""
    sent = request.form.get("nonce", "")
    try:
        drawn: str | None = _OWN.load({"nonce": sent} if sent else {}).get("nonce")
    except ValidationError as error:
        raise BadRequest from error
    return drawn
