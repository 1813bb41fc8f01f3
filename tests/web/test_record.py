"""Records, proof, replay and analysis of a game."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from html import unescape
from pathlib import Path
from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers import lobby
from service.handlers.play import resign
from service.handlers.take_back import Wish, take_back
from service.record.reading import records_in
from service.record.verify import verify
from service.rules.games.new_corp_order.actions import Infiltrate
from service.runtime import Runtime
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games, Position
from tests.browsing import browser, send
from tests.builders import act, finished, now_at, sealed_bids, started, table_for
from tests.people import Person, alice, bob, carol
from tests.record.records import RULESETS
from tests.web.test_every_page import LANGUAGES, sound
from workers.jobs import carry_out


def test_the_record_of_a_finished_game_is_a_file_that_holds(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    path = f"/games/{position.game.id}/record.jsonl"
    me = browser(app, games, alice(games))
    assert me.get(path).status_code == 404
    finished(games, position)
    for web in (app.test_client(), me):
        answer = web.get(path)
        assert (answer.status_code, answer.mimetype) == (200, "application/jsonl")
        assert f'filename="{position.game.id}.jsonl"' in answer.headers["Content-Disposition"]
        assert verify(answer.data, RULESETS).holds
    page = me.get(f"/games/{position.game.id}/replay").text
    assert f'href="{path}"' in page and 'href="/verify"' in page


def test_so_is_that_of_a_game_that_was_called_off(app: Flask, games: Games) -> None:
    host = alice(games)
    game = table_for(games, "sealed-bids", host, 3)
    path, me = f"/games/{game}/record.jsonl", browser(app, games, host)
    assert me.get(path).status_code == 404
    lobby.cancel_game(games, game, host.id)
    assert f'href="{path}"' in me.get(f"/games/{game}").text
    assert verify(me.get(path).data, RULESETS).holds


def test_of_a_game_that_one_may_not_know_of_there_is_no_record(app: Flask, games: Games) -> None:
    assert browser(app, games, carol(games)).get(f"/games/{uuid4()}/record.jsonl").status_code == 404


def test_the_records_of_all_ones_games_come_in_one_file(app: Flask, games: Games, tmp_path: Path) -> None:
    me, others = alice(games), [bob(games), carol(games)]
    mine = [finished(games, started(games, "sealed-bids", [me, *others])).game.id for _ in range(2)]
    finished(games, sealed_bids(games))
    web = browser(app, games, me)
    assert 'href="/settings/records"' in web.get("/settings").text
    file = tmp_path / "all.jsonl.gz"
    file.write_bytes(web.get("/settings/records").data)
    reports = [verify(record, RULESETS) for _, record in records_in(file)]
    assert all(report.holds for report in reports)
    assert {report.game for report in reports} == {str(game) for game in mine}


# The page that shows what proves a game, its files, and the player's own value of chance.

OWN = "ab" * 16


def drawn(games: Games, path: str) -> list[tuple[str, str]]:
    """Return who has drawn each seat's value, and whether the value is OWN."""
    with games.engine.begin() as db:
        rows = db.execute(
            text("select drawn_by, nonce from seat where game_id = :game order by seat"), {"game": path[-36:]}
        )
        return [(row.drawn_by, "own" if row.nonce == OWN else "another") for row in rows]


def seated(games: Games) -> tuple[Person, Position]:
    """Alice, and a game in which she sits."""
    me = alice(games)
    return me, started(games, "sealed-bids", [me, bob(games), carol(games)])


def test_every_form_that_takes_a_seat_takes_the_players_own_value(app: Flask, games: Games) -> None:
    web = browser(app, games, alice(games))
    solo = str(send(web, "/", "/play", nonce=OWN).location)
    again = str(send(web, "/games", "/play", nonce=OWN).location)
    chosen = {"seats": "2", "kind": "anybody", "start": "host", "on_resignation": "play-on"}
    opened = str(send(web, "/games/new", "/games/new", nonce=OWN, **chosen).location)
    send(browser(app, games, bob(games)), opened, f"{opened}/join", nonce=OWN)
    assert [drawn(games, path) for path in (solo, again, opened)] == [
        [("client", "own")],
        [("client", "own")],
        [("client", "own"), ("client", "own")],
    ]


def test_without_a_script_the_service_draws_and_the_page_says_so(app: Flask, games: Games) -> None:
    host = alice(games)
    web, path = browser(app, games, host), f"/games/{table_for(games, 'sealed-bids', host, 3)}"
    assert drawn(games, path) == [("server", "another")]
    page = web.get(f"{path}/proof").text
    assert "which knows the secret as well: Alice" in page and "own browser or program:" not in page
    assert f'href="{path}/proof"' in web.get(path).text


def test_what_can_be_no_value_is_refused_and_takes_no_seat(app: Flask, games: Games) -> None:
    path = f"/games/{table_for(games, 'sealed-bids', alice(games), 3)}"
    guest = browser(app, games, bob(games))
    assert send(guest, path, f"{path}/join", nonce="no hex").status_code == 400
    assert len(drawn(games, path)) == 1


def test_while_the_game_goes_on_the_page_tells_the_commitment_and_not_the_secret(app: Flask, games: Games) -> None:
    me, position = seated(games)
    path = f"/games/{position.game.id}"
    page = browser(app, games, me).get(f"{path}/proof").text
    assert position.game.commitment in page and str(position.game.head) in page
    with games.engine.begin() as db:
        seed = db.execute(text("select encode(seed, 'hex') from seed where game_id = :game"), {"game": path[-36:]})
        assert str(seed.scalar_one()) not in page
    assert f'href="{path}/view.jsonl?seat=0"' in page and f'href="{path}/view.jsonl?seat=1"' not in page
    assert f"{path}/record.jsonl" not in page


def test_after_the_end_it_tells_the_secret_and_what_each_seat_knew(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    finished(games, position)
    path = f"/games/{position.game.id}"
    page = browser(app, games, alice(games)).get(f"{path}/proof").text
    with games.engine.begin() as db:
        seed = db.execute(text("select encode(seed, 'hex') from seed where game_id = :game"), {"game": path[-36:]})
        assert str(seed.scalar_one()) in page
    for file in ("record.jsonl", "view.jsonl", "view.jsonl?seat=0", "view.jsonl?seat=2", "listing.txt"):
        assert f'href="{path}/{file}"' in page


@pytest.mark.parametrize("seat", ["0", "1", "7", "-1"])
def test_of_a_game_that_goes_on_nobody_gets_what_another_seat_knows(app: Flask, games: Games, seat: str) -> None:
    me, position = seated(games)
    answer = browser(app, games, me).get(f"/games/{position.game.id}/view.jsonl?seat={seat}")
    assert answer.status_code == (200 if seat == "0" else 404)
    if seat == "0":
        assert json.loads(answer.text.splitlines()[0])["viewer"] == 0


def test_a_file_of_ones_own_view_is_that_of_the_api(app: Flask, games: Games) -> None:
    me, position = seated(games)
    path = f"/games/{position.game.id}"
    asked = app.test_client().get(f"/api/v1{path}/record", headers={"Authorization": f"Bearer {me.token}"})
    assert browser(app, games, me).get(f"{path}/view.jsonl").data == asked.data


def test_the_game_is_written_down_in_the_language_of_the_reader(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    finished(games, position)
    web = browser(app, games)
    for language, beginning in (("en", "The beginning"), ("de", "Der Anfang"), ("fr", "Le début")):
        answer = web.get(f"/games/{position.game.id}/listing.txt", headers={"Accept-Language": language})
        assert (answer.status_code, answer.mimetype) == (200, "text/plain")
        assert beginning in answer.text


def test_who_may_not_know_of_the_game_gets_nothing(app: Flask, games: Games) -> None:
    path = f"/games/{table_for(games, 'sealed-bids', alice(games), 3, Terms())}"
    stranger = browser(app, games, carol(games))
    for file in ("proof", "view.jsonl", "listing.txt", "record.jsonl"):
        assert stranger.get(f"{path}/{file}").status_code == 404


# The page at which a game is looked at again: every moment has an address, and nobody sees more than they may.


def bids(games: Games) -> tuple[Position, list[Person]]:
    people = [alice(games), bob(games), carol(games)]
    return started(games, "sealed-bids", people), people


def ways(page: str) -> dict[str, str]:
    """The addresses that the page leads to, by the name of the way."""
    found = re.findall(r'<a class="button" href="([^"]*)" data-way="(\w+)"', page)
    return {way: unescape(address) for address, way in found}


def felt_of(page: str) -> str:
    """The table as it is drawn on a page."""
    return page.partition('<section id="felt"')[2].partition('<section id="board"')[0]


def cards_on(page: str) -> list[int]:
    """The numbers of the cards in the hand that is shown on a page."""
    return [int(card) for card in re.findall(r'data-place="card-(\d+)"', felt_of(page))]


def test_a_finished_game_is_walked_through_by_links_alone(app: Flask, games: Games) -> None:
    position, people = bids(games)
    position = finished(games, position)
    web, path = browser(app, games, people[0]), f"/games/{position.game.id}/replay"
    assert f'href="{path}"' in web.get(f"/games/{position.game.id}").text
    page = web.get(path).text
    assert "The game begins." in page and "The beginning" in page
    assert set(ways(page)) == {"on", "last"}
    told = []
    while following := ways(page).get("on"):
        page = web.get(path + following).text
        told += re.findall(r"Step (\d+) of 10", page)
    assert told == [str(number) for number in range(2, 11)]
    assert set(ways(page)) == {"first", "back"}
    assert " is worth " in page


def test_a_turn_is_jumped_to_by_a_form(app: Flask, games: Games) -> None:
    position, people = bids(games)
    position = finished(games, position)
    web, path = browser(app, games, people[0]), f"/games/{position.game.id}/replay"
    offered = web.get(f"{path}?language=en").text.partition('<select name="at">')[2].partition("</select>")[0]
    turns = re.findall(r'<option value="(\d+)"[^>]*>([^<]+)', offered)
    assert [name for _, name in turns] == ["The beginning", "Turn 1", "Turn 2", "Turn 3"]
    for seq, name in turns:
        assert f" · {name}</h2>" in web.get(f"{path}?at={seq}&eyes=0&language=en").text


def test_after_the_end_everybody_looks_through_any_eyes(app: Flask, games: Games) -> None:
    position, people = bids(games)
    hands = position.state.hands
    position = finished(games, position)
    for person in (people[1], None):
        web, path = browser(app, games, person), f"/games/{position.game.id}/replay"
        for seat in range(3):
            page = web.get(f"{path}?at=4&eyes={seat}&language=en").text
            assert f"Hand: {', '.join(map(str, hands[seat]))}" in page
            assert f'data-eyes="{seat}" aria-current="true"' in page
            assert cards_on(page) == list(hands[seat])
        beside = web.get(f"{path}?at=4&eyes=spectator&language=en").text
        assert "Hand:" not in beside and cards_on(beside) == []
        assert "Short form: <code>bid " in web.get(f"{path}?at=5&language=en").text


def test_while_a_game_runs_ones_own_eyes_are_all(app: Flask, games: Games) -> None:
    position, people = bids(games)
    card = position.state.hands[0][0]
    position = act(games, position, 0, position.ruleset.parse(f"bid {card}")).position
    path = f"/games/{position.game.id}/replay?at={position.version}&eyes=0&language=en"
    mine, theirs, beside = (browser(app, games, each).get(path).text for each in (people[0], people[1], None))
    assert f"<code>bid {card}</code>" in mine
    for page in (theirs, beside):
        assert "<code>" not in page and "Through the eyes" not in page
        assert "While the game runs you see only your own knowledge." in page
    hands = now_at(games, position.game.id).state.hands
    assert [cards_on(page) for page in (mine, theirs, beside)] == [list(hands[0]), list(hands[1]), []]


def test_a_game_that_is_not_for_everybody_is_looked_at_by_its_players_alone(app: Flask, games: Games) -> None:
    person = alice(games)
    position = started(games, "new-corp-order", [person])
    resign(games, position.game.id, person.id, "web", clock.now())
    path = f"/games/{position.game.id}/replay"
    assert browser(app, games, person).get(path).status_code == 200
    assert browser(app, games, bob(games)).get(path).status_code == 404
    assert browser(app, games).get(path).status_code == 404


def test_what_was_taken_back_is_seen_done_and_undone_and_the_links_to_moments_stay(app: Flask, games: Games) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    web, path = browser(app, games, people[0]), f"/games/{position.game.id}/replay"
    quiet = next(each for each in position.ruleset.legal(position.state, 0) if isinstance(each, Infiltrate))
    done = act(games, position, 0, quiet).position
    take_back(games, Wish(position.game.id, 0, position.decision, "web"), timedelta(minutes=10), clock.now())
    undone = now_at(games, position.game.id)
    moments = [f"{path}?at={each.version}&eyes=0&language=en" for each in (position, done, undone)]
    _, during, after = pages = [web.get(each).text for each in moments]
    pictures = [felt_of(page) for page in pages]
    unmarked = [re.sub(r'<g class="marks".*?</g></svg>', "", each, flags=re.DOTALL) for each in pictures]
    assert unmarked[0] == unmarked[2] != unmarked[1]
    assert ["This move was taken back later." in page for page in pages] == [False, True, False]
    assert "takes the last move back" in after
    assert [ways(page).get("on") for page in pages] == [f"?at={each.version}&eyes=0" for each in (done, undone)] + [
        None
    ]
    assert position.ruleset.notate(quiet) in during
    act(games, undone, 0, position.ruleset.legal(undone.state, 0)[0])
    resign(games, position.game.id, people[1].id, "web", clock.now())
    for moment, picture in zip(moments, pictures, strict=True):
        assert felt_of(web.get(moment).text) == picture, "a link that was passed on shows what it showed"


def test_an_address_that_leads_nowhere_leads_to_the_nearest_moment(app: Flask, games: Games) -> None:
    position, people = bids(games)
    web, path = browser(app, games, people[0]), f"/games/{position.game.id}/replay"
    for query in ("?at=0", "?at=-3", "?at=x", "?at=99999", "?eyes=7", "?eyes=", "?at=2&eyes=spectator"):
        page = web.get(path + query)
        assert (page.status_code, "Step 1 of 1" in page.text) == (200, True), query


@LANGUAGES
def test_the_page_is_sound_in_every_language(app: Flask, games: Games, language: str) -> None:
    position, people = bids(games)
    position = finished(games, position)
    path = f"/games/{position.game.id}/replay?at=6&eyes=1&language={language}"
    for person in (people[0], None):
        answer = browser(app, games, person).get(path)
        sound(answer, language)
        assert "script-src 'self';" in answer.headers["Content-Security-Policy"]


# The button that takes a hint at the table, and the analysis on the page that replays a game.


def gains_on(page: str) -> list[str]:
    """Return the gains of the moments on the page of a replay, as written."""
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
