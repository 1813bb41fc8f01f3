"""Challenges on the site: the page of a challenge (signed in, or by a mailed link), and the bots to challenge.

A link only shows a challenge; a button answers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from flask import Response, request, url_for

from schemas.fields import cursor
from service.handlers import challenges, mail_preferences
from service.handlers.challenges import ChallengeRequest
from service.handlers.lobby import Plan, terms_of
from service.handlers.people import find_handle
from service.handlers.refusals import NoChallenge, UnknownChallenge, UnknownRuleset
from service.handlers.transaction import transaction
from service.http.problems import reason
from service.shared import clock
from service.shared.refusal import Refusal
from service.store.lobby import Challenge
from service.texts.games import pace_text
from service.texts.names import display_name
from service.views import lobby as views
from service.views.lobby import BotsWanted, ready_bots
from service.web.blueprint import web
from service.web.page import admitted, budget, current_runtime, render, requested_place, visitor_language
from service.web.post_guard import BUTTON_FIELD, ONE_CLICK, requires_form
from service.web.session import Visitor, language, missing_page, page, see_other, signed_in

PAGE_SIZE = 20
_ANSWERS = "<any(accept, decline):answer>"


@web.get("/challenges/<uuid:challenge_id>")
@signed_in
def show_challenge(visitor: Visitor, challenge_id: UUID) -> Response:
    """Show a challenge that the visitor has sent or received."""
    return _own_page(visitor, challenge_id)


@web.post("/challenges/<uuid:challenge_id>/<any(accept, decline, withdraw):answer>")
@signed_in
def answer_challenge(visitor: Visitor, challenge_id: UUID, answer: str) -> Response:
    """Accept a challenge and go to its game; or decline or withdraw it and go to the visitor's games."""
    if not admitted("games", visitor.id):
        return page("notice.html", 429, notice="too-often")
    act = {"accept": challenges.accept, "decline": challenges.decline, "withdraw": challenges.withdraw}[answer]
    try:
        done = act(current_runtime().games, challenge_id, visitor.id, clock.now())
    except UnknownChallenge:
        return missing_page()
    except Refusal as refusal:
        return _own_page(visitor, challenge_id, refusal)
    return see_other(url_for("web.my_games") if done.game is None else url_for("web.show_game", game_id=done.game))


@web.get("/c/<token>")
def show_mailed_challenge(token: str) -> Response:
    """Show the challenge behind the link of a mail."""
    return _mailed_page(token)


@web.get(f"/c/<token>/{_ANSWERS}")
def show_mailed_answer(token: str, answer: str) -> Response:
    """Show the challenge behind a mailed link that offers an answer; the button of the answer comes first."""
    return _mailed_page(token, answer=answer)


@web.post(f"/c/<token>/{_ANSWERS}")
@requires_form(lambda token, answer: _mailed_page(token), BUTTON_FIELD)
def answer_mailed_challenge(token: str, answer: str) -> Response:
    """Answer the challenge behind the link of a mail, and show the result."""
    games, now = current_runtime().games, clock.now()
    act = challenges.accept if answer == "accept" else challenges.decline
    try:
        with transaction(games.engine) as db:
            found = challenges.unfold(db, token, now)
        act(games, found.id, found.recipient, now)
    except UnknownChallenge:
        return _unknown()
    except Refusal as refusal:
        return _mailed_page(token, refusal)
    return _mailed_page(token)


@web.get("/c/<token>/never")
def show_challenge_refusal(token: str) -> Response:
    """Show the button to opt out of mails about challenges."""
    found = _unfolded(token)
    if found is None:
        return _unknown()
    return render("lobby/never_challenge.html", found[1], action=request.path)


@web.post("/c/<token>/never")
@requires_form(show_challenge_refusal, BUTTON_FIELD, ONE_CLICK)
def refuse_challenge_mails(token: str) -> Response:
    """Opt the player out of mails about challenges; for the button, and for one click (RFC 8058)."""
    found = _unfolded(token)
    if found is None:
        return _unknown()
    with transaction(current_runtime().games.engine) as db:
        mail_preferences.do_without(db, found[0].challenge.recipient, "challenge")
    return render("notice.html", found[1], notice="challenge-never-done")


@web.get("/bots")
def show_bots() -> Response:
    """List the bots that are ready for challenges."""
    return _bots_page(200)


@web.post("/bots")
@signed_in
def challenge_bot(visitor: Visitor) -> Response:
    """Challenge the bot of the form (`to`) to a two-player game of a `ruleset` with default options."""
    return challenge_player(visitor, request.form.get("to", ""), lambda refusal: _bots_page(refusal.status, refusal))


def challenge_player(visitor: Visitor, to: str, refused: Callable[[Refusal], Response]) -> Response:
    """Challenge a handle to a two-player game of the form's `ruleset` with default options.

    Go to the visitor's games afterwards; `refused` answers a challenge that was not sent.
    """
    runtime, name = current_runtime(), request.form.get("ruleset", "")
    if not admitted("games", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        if name not in runtime.games.rulesets:
            raise UnknownRuleset
        seats = min(size for size in runtime.games.rulesets[name].meta.seats if size > 1)
        with transaction(runtime.games.engine) as db:
            recipient = find_handle(db, to)
        if recipient is None:
            raise NoChallenge
        plan = Plan(name, seats, terms=terms_of({}, seats))
        challenges.send(runtime.games, ChallengeRequest(visitor.id, recipient, plan), clock.now(), budget=budget())
    except Refusal as refusal:
        return refused(refusal)
    return see_other(url_for("web.my_games") + "#challenges")


def _bots_page(status: int, refusal: Refusal | None = None) -> Response:
    games, after = current_runtime().games, requested_place()
    with transaction(games.engine) as db:
        rows = ready_bots(db, BotsWanted(None, PAGE_SIZE + 1, after), clock.now())
    titles = {name: each.meta.title for name, each in games.rulesets.items() if max(each.meta.seats) > 1}
    bots = [
        {
            "handle": row.handle,
            "name": display_name(row.name, language()),
            "owner": display_name(row.owner, language()),
            "rulesets": {name: titles[name] for name in row.rulesets if name in titles},
        }
        for row in rows[:PAGE_SIZE]
    ]
    last = rows[PAGE_SIZE - 1] if len(rows) > PAGE_SIZE else None
    following = None if last is None else cursor(last.since, last.id)
    return page("lobby/bots.html", status, bots=bots, following=following, refusal=reason(refusal, language()))


def _own_page(visitor: Visitor, challenge_id: UUID, refusal: Refusal | None = None) -> Response:
    now = clock.now()
    with transaction(current_runtime().games.engine) as db:
        try:
            found = challenges.known(db, challenge_id, visitor.id, now)
        except UnknownChallenge:
            return missing_page()
        seen = views.challenge(db, found.id, now)
    status = 200 if refusal is None else refusal.status
    said = _said(seen, language(), refusal)
    return page("lobby/challenge.html", status, base=url_for("web.show_challenge", challenge_id=found.id), **said)


def _mailed_page(token: str, refusal: Refusal | None = None, answer: str = "accept") -> Response:
    found = _unfolded(token)
    if found is None:
        return _unknown()
    status = 200 if refusal is None else refusal.status
    base = url_for("web.show_mailed_challenge", token=token)
    said = _said(found[0], found[1], refusal)
    declining = answer == "decline"
    return render("lobby/challenge.html", found[1], status, base=base, form_key=None, declining=declining, **said)


def _said(seen: views.ChallengeSeen, spoken: str, refusal: Refusal | None) -> dict[str, Any]:
    found: Challenge = seen.challenge
    return {
        "found": found,
        "sender": display_name(seen.sender.name, spoken),
        "bot": seen.sender.bot,
        "recipient": display_name(seen.recipient.name, spoken),
        "title": current_runtime().games.rulesets[found.ruleset].meta.title,
        "pace": pace_text(spoken, found.terms.pace),
        "refusal": reason(refusal, spoken),
    }


def _unfolded(token: str) -> tuple[views.ChallengeSeen, str] | None:
    """Return the challenge behind the link of a mail, and its reader's language; None if there is none."""
    now = clock.now()
    with transaction(current_runtime().games.engine) as db:
        try:
            found = challenges.unfold(db, token, now)
        except UnknownChallenge:
            return None
        return views.challenge(db, found.id, now), challenges.language_of(db, found)


def _unknown() -> Response:
    return render("notice.html", visitor_language(), 404, notice="challenge-unknown")
