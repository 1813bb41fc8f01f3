"""Page of acquaintances (friends, blocked and ignored players), and the page of a friend request behind a mailed link.

A link only shows a request; a button answers.
"""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from flask import Response, request, url_for

from service.handlers import mail_preferences, people
from service.handlers.transaction import transaction
from service.http.problems import reason
from service.shared import clock
from service.shared.refusal import NotFound, Refusal
from service.store.people import Friendship
from service.texts.catalog import say
from service.texts.names import HANDLE_PATTERN, display_name
from service.views.account import account_row
from service.views.pages import PageWanted
from service.views.people import KINDS, list_acquaintances, shown_player
from service.web.blueprint import web
from service.web.lobby.challenges import challenge_player
from service.web.page import current_runtime, render, visitor_language
from service.web.post_guard import BUTTON_FIELD, ONE_CLICK, requires_form
from service.web.session import Visitor, language, missing_page, page, see_other, signed_in

PAGE_SIZE = 100
_ACTS = {
    "accept": lambda games, player, entry: people.accept_friend(games, entry, player, clock.now()),
    "end": lambda games, player, entry: people.unfriend(games, entry, player, clock.now()),
    "unblock": people.unblock_player,
    "heed": people.unignore_player,
}


@web.get("/people")
@signed_in
def show_people(visitor: Visitor) -> Response:
    """Show the visitor's friends, open requests, and blocked and ignored players."""
    return _people_page(visitor)


@web.get("/people/find")
def find_player() -> Response:
    """Redirect to the profile of the `handle` of the form."""
    handle = request.args.get("handle", "").strip().removeprefix("@").lower()
    return (
        see_other(url_for("web.show_player", handle=handle)) if re.fullmatch(HANDLE_PATTERN, handle) else missing_page()
    )


@web.post("/people/<uuid:entry>/<any(accept, end, unblock, heed):act>")
@signed_in
def change_people(visitor: Visitor, entry: UUID, act: str) -> Response:
    """Accept a request; end, decline or withdraw a request or a friendship; unblock or unignore a player."""
    try:
        _ACTS[act](current_runtime().games, visitor.id, entry)
    except Refusal as refusal:
        return _people_page(visitor, refusal)
    return see_other(url_for("web.show_people"))


@web.post("/people/challenge")
@signed_in
def challenge_friend(visitor: Visitor) -> Response:
    """Challenge the friend of the form (`to`) to a two-player game of its `ruleset` with default options."""
    return challenge_player(visitor, request.form.get("to", ""), lambda refusal: _people_page(visitor, refusal))


@web.get("/f/<token>")
@web.get("/f/<token>/decline")
def show_friend_request(token: str) -> Response:
    """Show the friend request behind the link of a mail."""
    return _asked_page(token)


@web.post("/f/<token>/<any(accept, decline):act>")
@requires_form(lambda token, act: _asked_page(token), BUTTON_FIELD)
def answer_friend_request(token: str, act: str) -> Response:
    """Answer the request behind the link of a mail, and show the result."""
    found = _unfolded(token)
    if found is None:
        return _over()
    asked, spoken = found
    try:
        _ACTS["accept" if act == "accept" else "end"](current_runtime().games, asked.recipient, asked.id)
    except Refusal as refusal:
        return _asked_page(token, refusal)
    text = say(spoken, "friend-accepted" if act == "accept" else "friend-declined")
    return render("people/friend_answered.html", spoken, text=text)


@web.get("/f/<token>/never")
def show_friend_refusal(token: str) -> Response:
    """Show the button to opt out of mails about challenges and friends."""
    found = _unfolded(token)
    return _over() if found is None else render("lobby/never_challenge.html", found[1], action=request.path)


@web.post("/f/<token>/never")
@requires_form(show_friend_refusal, BUTTON_FIELD, ONE_CLICK)
def refuse_friend_mails(token: str) -> Response:
    """Opt the player out of mails about challenges and friends; for the button, and for one click (RFC 8058)."""
    found = _unfolded(token)
    if found is None:
        return _over()
    with transaction(current_runtime().games.engine) as db:
        mail_preferences.do_without(db, found[0].recipient, "challenge")
    return render("notice.html", found[1], notice="challenge-never-done")


def _people_page(visitor: Visitor, refusal: Refusal | None = None) -> Response:
    games, reader = current_runtime().games, visitor.browser.player
    with transaction(games.engine) as db:
        lists: dict[str, list[dict[str, Any]]] = {
            kind: [
                shown_player(each, reader) for each in list_acquaintances(db, kind, visitor.id, PageWanted(PAGE_SIZE))
            ]
            for kind in KINDS
        }
    return page(
        "people/friends.html",
        200 if refusal is None else refusal.status,
        asking=[each for each in lists["friends"] if each["state"] == "asks"],
        friends=[each for each in lists["friends"] if each["state"] != "asks"],
        blocked=lists["blocks"],
        ignored=lists["ignored"],
        playable={name: each.meta.title for name, each in games.rulesets.items() if max(each.meta.seats) > 1},
        refusal=reason(refusal, language()),
    )


def _asked_page(token: str, refusal: Refusal | None = None) -> Response:
    found = _unfolded(token)
    if found is None:
        return _over()
    asked, spoken = found
    with transaction(current_runtime().games.engine) as db:
        sender = display_name(account_row(db, asked.sender).name, spoken)
    status, declining = 200 if refusal is None else refusal.status, request.path.endswith("/decline")
    return render(
        "people/friend_asked.html",
        spoken,
        status,
        sender=sender,
        token=token,
        refusal=reason(refusal, spoken),
        declining=declining,
    )


def _unfolded(token: str) -> tuple[Friendship, str] | None:
    """Return the open request behind the link of a mail, and its reader's language; None if there is none."""
    with transaction(current_runtime().games.engine) as db:
        try:
            return people.resolve_friend_link(db, token)
        except NotFound:
            return None


def _over() -> Response:
    return render("notice.html", visitor_language(), 404, notice="friend-over")
