"""Hidden things are asked for once more, unless a player has switched that off or plays among computers."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote, urlsplit

from flask import Flask

from service.handlers import lobby
from service.shared import clock
from service.store.games import Games
from service.views.dry_run import reveals
from service.web.play.action_picker import confirms_reveals
from tests.browsing import form_on, send
from tests.builders import act, now_at, table_for
from tests.people import alice
from tests.seating import against
from tests.web.test_table import Visit, duel


def pressed(visit: Visit, page: str, place: str) -> str:
    """The page behind the link of a place of the board, or of a piece."""
    links = (each for each in re.findall(r"<a [^>]*>", page) if f'data-place="{place}"' in each)
    found = re.search(r'href="([^"]*)"', next(links))
    assert found
    return visit.look(unescape(found[1]).partition("#")[0])


def test_a_plot_of_two_cards_is_three_taps_without_a_script_and_one_more_if_it_cannot_be_taken_back(
    app: Flask, games: Games
) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    page = pressed(visit, pressed(visit, visit.look(""), "1"), "2")
    asked = visit.send(page, "/action")
    assert now_at(games, position.game.id).version == position.version
    page = visit.look(urlsplit(asked.headers["Location"])._replace(path="", fragment="").geturl())
    assert "This shows something hidden; it cannot be taken back." in page
    answer = visit.send(page, "/action")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/games/{visit.game}")
    now = now_at(games, position.game.id)
    assert now.version > position.version
    assert visit.send(page, "/action").status_code == 303, "pressed twice, it is played once"
    assert now_at(games, position.game.id).version == now.version
    assert "is to move" in visit.look("")


def test_nothing_is_asked_twice_where_a_player_has_switched_it_off(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    assert send(visit.web, "/settings", "/settings/second-question").status_code == 303
    visit.send(visit.look("?decision=1&notation=P+D+D"), "/action")
    assert now_at(games, position.game.id).version > position.version
    form = form_on(visit.web.get("/settings"), "/settings/second-question")
    assert visit.web.post(form.action, data={**form.hidden, "asked": "yes"}).status_code == 303
    assert 'name="asked" value="yes" checked' in visit.web.get("/settings").text


def test_a_player_alone_is_never_asked_twice(app: Flask, games: Games) -> None:
    person = alice(games, None)
    position = lobby.start(games, table_for(games, "new-corp-order", person, 1), person.id, clock.now())
    visit = Visit(app, games, position, person)
    while not (drawing := [each for each in position.ruleset.legal(position.state, 0) if reveals(position, 0, each)]):
        position = act(games, position, 0, position.ruleset.legal(position.state, 0)[0]).position
    visit.send(visit.look(f"?notation={quote(position.ruleset.notate(drawing[0]))}"), "/action")
    assert now_at(games, position.game.id).version > position.version


def test_a_player_among_computers_is_never_asked_twice(app: Flask, games: Games) -> None:
    person = alice(games, None)
    position = against(games, "new-corp-order", person, ["easy"])
    assert not confirms_reveals(position, 0)
    assert confirms_reveals(duel(games)[0], 0)
