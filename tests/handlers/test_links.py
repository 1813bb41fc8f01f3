"""A link answers one decision of one seat."""

from __future__ import annotations

import re
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from service.handlers import links
from service.shared import clock
from service.store.games import Games
from tests.builders import now_at, sealed_bids
from tests.rules.playouts import RULESETS, random_game, times

CODE = re.compile(r"[a-z0-9._-]*[a-z0-9]")
LONGEST_URL = 70


def test_a_link_leads_to_its_game_seat_and_decision_until_it_expires(games: Games) -> None:
    game, now = sealed_bids(games).game.id, clock.now()
    with games.engine.begin() as db:
        token = links.issue(db, game, 1, 7, now)
        link = links.resolve(db, token.upper())
    assert re.fullmatch(r"[a-z2-7]{26}", token)
    assert link is not None
    assert (link.game_id, link.seat, link.decision) == (game, 1, 7)
    assert link.player_id == now_at(games, game).seats[1].player_id
    assert link.expires_at - now == timedelta(days=90)


def test_a_link_that_nobody_issued_leads_nowhere(games: Games) -> None:
    with games.engine.begin() as db:
        for token in ("", "a" * 26, "é" * 26, "a" * 5000):
            assert links.resolve(db, token) is None


def test_the_link_itself_is_stored_nowhere(games: Games) -> None:
    with games.engine.begin() as db:
        token = links.issue(db, sealed_bids(games).game.id, 1, 7, clock.now())
        assert token.encode() not in db.execute(text("select hash from action_link")).scalars().all()


def test_links_of_one_game_can_be_taken_out_of_use_without_those_of_another(games: Games) -> None:
    position, other, now = sealed_bids(games), sealed_bids(games), clock.now()
    bob = position.seats[1].player_id
    with games.engine.begin() as db:
        tokens = [links.issue(db, position.game.id, seat, 1, now) for seat in (0, 1)]
        tokens.append(links.issue(db, other.game.id, 1, 1, now))
        links.revoke(db, bob, "seen", now, position.game.id)
        links.revoke(db, bob, "address", now, position.game.id)
        found = [links.resolve(db, token) for token in tokens]
    assert [link and link.revoked_for for link in found] == [None, "seen", None]


@times(2)
@given(seed=st.integers(0, 9))
def test_every_legal_action_of_every_game_has_a_code_of_its_own_that_a_link_can_hold(seed: int) -> None:
    lengths = []
    for name, ruleset in RULESETS.items():
        for state in random_game(name, max(ruleset.meta.seats), seed).states[::3]:
            for seat in ruleset.to_act(state):
                notations = [ruleset.notate(action) for action in ruleset.legal(state, seat)]
                codes, short_codes = ([made(each) for each in notations] for made in (links.code, links.short_code))
                assert len({*codes, *short_codes}) == 2 * len(notations)
                assert all(CODE.fullmatch(each) for each in (*codes, *short_codes))
                lengths += [len(f"https://boardroom.example/t/{'a' * 26}/{each}") for each in codes]
    short = [length for length in lengths if length < LONGEST_URL]
    assert len(short) > len(lengths) / 2


@given(one=st.text(max_size=12), other=st.text(max_size=12))
@times(100)
def test_only_notations_that_differ_in_their_case_alone_share_a_code(one: str, other: str) -> None:
    assert (links.code(one) == links.code(other)) == (one.lower() == other.lower())


def test_a_code_means_the_legal_action_that_it_was_made_from(games: Games) -> None:
    position = sealed_bids(games)
    for seat in range(3):
        for action in position.ruleset.legal(position.state, seat):
            for made in (links.code, links.short_code):
                assert links.meant(position, seat, made(position.ruleset.notate(action)).upper()) == action
    assert links.meant(position, 0, "castle") is links.meant(position, 0, links.short_code("castle")) is None
    assert links.meant(position, 7, "hold") is None
