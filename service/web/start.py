"""The start page."""

from __future__ import annotations

from flask import Response

from service.web.answers import runtime
from service.web.session import page


def start() -> Response:
    """Show what this is, and where the API and the mailbox are."""
    house = runtime()
    games = [ruleset.meta for ruleset in house.games.rulesets.values()]
    return page("start.html", games=games, mailbox=house.settings.mailbox)
