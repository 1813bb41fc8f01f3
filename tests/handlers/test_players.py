"""Players are known by a token that only they have."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from sqlalchemy import text

from service.handlers.authentication import authenticate
from service.store.games import Games
from tests.people import alice, bob


def test_a_token_leads_to_its_player(games: Games) -> None:
    one, other = alice(games), bob(games, email=None)
    found = authenticate(games, other.token)
    assert found is not None
    assert (found.player.id, found.player.name, found.player.email) == (other.id, "Bob", None)
    assert (found.player.language, found.player.time_zone) == ("de", "UTC")
    assert found.player.id != one.id


def test_a_token_has_the_form_that_secret_scanners_know(games: Games) -> None:
    assert re.fullmatch(r"brd_[0-9A-Za-z]{36}", alice(games).token)


@pytest.mark.parametrize("damage", [str.upper, lambda token: token[:-1], lambda token: token + "0"])
def test_a_damaged_token_leads_nowhere(games: Games, damage: Callable[[str], str]) -> None:
    assert authenticate(games, damage(alice(games).token)) is None


@pytest.mark.parametrize("text", ["", "brd_", "brd_" + "0" * 36, "ünïcode" * 6, "brd_" + "é" * 36])
def test_no_nonsense_leads_anywhere(games: Games, text: str) -> None:
    assert authenticate(games, text) is None


def test_the_token_itself_is_stored_nowhere(games: Games) -> None:
    token = alice(games).token
    with games.engine.connect() as db:
        stored = db.execute(text("select encode(hash, 'escape') from token")).scalars()
        assert not any(token in each for each in stored)
