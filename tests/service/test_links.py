"""A link answers one decision of one seat."""

from __future__ import annotations

import re
from datetime import timedelta

from sqlalchemy import text

from service import clock
from service.handlers import links
from service.store.games import Games
from tests.builders import sealed_bids


def test_a_link_leads_to_its_game_seat_and_decision_until_it_expires(games: Games) -> None:
    game, now = sealed_bids(games).game.id, clock.now()
    with games.engine.begin() as db:
        token = links.issue(db, game, 1, 7, now)
        link = links.resolve(db, token.upper())
    assert re.fullmatch(r"[a-z2-7]{26}", token)
    assert link is not None
    assert (link.game_id, link.seat, link.decision) == (game, 1, 7)
    assert link.expires_at - now == timedelta(days=90)


def test_a_link_that_nobody_issued_leads_nowhere(games: Games) -> None:
    with games.engine.begin() as db:
        for token in ("", "a" * 26, "é" * 26, "a" * 5000):
            assert links.resolve(db, token) is None


def test_the_link_itself_is_stored_nowhere(games: Games) -> None:
    with games.engine.begin() as db:
        token = links.issue(db, sealed_bids(games).game.id, 1, 7, clock.now())
        assert token.encode() not in db.execute(text("select hash from action_link")).scalars().all()
