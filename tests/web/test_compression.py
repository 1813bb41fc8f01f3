"""The page of a table is sent compressed, but never with words in it that another site can have put there."""

from __future__ import annotations

from gzip import decompress

import pytest
from flask import Flask

from service.store.games import Games
from tests.browsing import browser
from tests.web.test_table import duel

GZIP = {"Accept-Encoding": "gzip, br"}


def test_the_page_of_a_table_is_sent_compressed_to_browsers_that_can_read_it(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    web, path = browser(app, games, mover), f"/games/{position.game.id}"
    plain, packed = web.get(path), web.get(path, headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.data) * 3 < len(plain.data)
    assert 'id="felt"' in decompress(packed.data).decode()
    assert "Accept-Encoding" in packed.headers["Vary"]


def test_how_long_a_compressed_page_is_tells_nothing_exact_of_what_is_in_it(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    web, path = browser(app, games, mover), f"/games/{position.game.id}"
    answers = [web.get(path, headers=GZIP).data for _ in range(12)]
    assert len({decompress(each) for each in answers}) == 1
    assert len({len(each) for each in answers}) > 3


@pytest.mark.parametrize("site", ["cross-site", "same-site", None])
def test_a_page_whose_address_has_words_of_another_site_is_not_compressed(
    app: Flask, games: Games, site: str | None
) -> None:
    position, (mover, _) = duel(games)
    web, path = browser(app, games, mover), f"/games/{position.game.id}?notation=guess"
    headers = GZIP if site is None else {**GZIP, "Sec-Fetch-Site": site}
    assert "Content-Encoding" not in web.get(path, headers=headers).headers
    own = web.get(path, headers={**GZIP, "Sec-Fetch-Site": "same-origin"})
    assert own.headers["Content-Encoding"] == "gzip"
