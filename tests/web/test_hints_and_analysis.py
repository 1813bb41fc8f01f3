"""The button that takes a hint at the table, and the analysis on the page that replays a game."""

from __future__ import annotations

import re

from flask import Flask
from sqlalchemy import text

from service.runtime import Runtime
from service.store.games import Games
from tests.browsing import browser, send
from tests.builders import finished, started
from tests.people import alice, bob, carol
from workers.jobs import carry_out


def gains_on(page: str) -> list[str]:
    """What the moments on the page of a replay gained, as it is written."""
    return re.findall(r'<strong class="good">([^<]*)</strong>', page.partition('id="moments"')[2])


def test_a_hint_leads_to_previews_and_is_shown_only_once_it_is_counted(app: Flask, games: Games) -> None:
    player = alice(games)
    path = f"/games/{started(games, 'new-corp-order', [player]).game.id}"
    web = browser(app, games, player)
    assert "What a computer player would consider" not in web.get(f"{path}?hint=yes").text

    sent = send(web, path, f"{path}/hints")
    page = web.get(sent.headers["Location"])
    assert "What a computer player would consider" in page.text
    assert "Alice takes a hint." in page.text
    assert 'href="?decision=' in page.text


def test_a_training_game_says_so_to_all_in_the_lobby_and_at_the_table(app: Flask, games: Games) -> None:
    players = [alice(games), bob(games)]
    host, guest = (browser(app, games, player) for player in players)
    sent = {"kind": "anybody", "seats": "2", "start": "full", "training": "yes", "pace": "none"}
    path = str(send(host, "/games/new", "/games/new", **sent).location)
    assert "Alle dürfen Tipps nehmen." in guest.get(path).text
    send(guest, path, f"{path}/join")
    pages = [each.get(path).text for each in (host, guest)]
    assert "Training game" in pages[0] and "Trainingspartie" in pages[1]
    assert [f"{path}/hints" in page for page in pages].count(True) == 1


def test_an_analysis_is_asked_for_and_shown_on_the_page_of_the_replay(
    app: Flask, games: Games, runtime: Runtime
) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = finished(games, started(games, "sealed-bids", people))
    path = f"/games/{position.game.id}"
    web = browser(app, games, people[0])
    page = web.get(f"{path}/replay").text
    assert "Chances during the game" in page
    # In some games no action gains its own player anything: there are no moments then.
    assert ("Gain in points" in page) == bool(gains_on(page))
    assert all(re.fullmatch(r"\+\d+", gain) for gain in gains_on(page))
    send(web, f"{path}/replay", f"{path}/analysis")
    assert "The analysis is under way." in web.get(f"{path}/replay").text

    pending = text("select id from outbox where game_id = :game and kind = 'analysis' and state = 'pending'")
    with runtime.engine.connect() as db:
        row: int = db.execute(pending, {"game": position.game.id}).scalar_one()
    carry_out(runtime, row)
    page = web.get(f"{path}/replay").text
    assert "With all cards open" in page and "<svg" in page.partition('id="analysis"')[2]
    assert "moves are not judged" in page
    assert ("Gain in the chance to win" in page) == bool(gains_on(page))
    assert all(re.fullmatch(r"\+\d+\s%", gain) for gain in gains_on(page))
    assert "Gain in points" not in page
    # The chances go along with the steps: the rule on them stands at the one that is shown.
    for at, x in ((1, 0), (position.version, 440)):
        step = web.get(f"{path}/replay?at={at}&only=step").text.partition('id="chances"')[2].partition("</section>")[0]
        assert all(name in step for name in ("Alice", "Bob", "Carol")) and f'd="M{x} 0V120"' in step
        # Below them is a dot for each moment.
        dots = "".join(re.findall(r'd="([^"]*)" class="dots"', step))
        assert dots.count("M") == len(gains_on(page))
