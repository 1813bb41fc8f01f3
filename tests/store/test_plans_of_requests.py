"""No request reads or sorts all games, events or effects: shown from the plans of all that every operation executes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from service.app import create_app
from service.local.servers import LocalServers
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from service.store import mail
from service.store.games import Games
from service.store.migrations import upgrade
from service.views.operation import find_games, find_players
from tests.api.scene import Scene
from tests.api.situations import SITUATIONS, ask
from tests.browsing import browser
from tests.builders import started
from tests.house import fresh_database
from tests.people import alice, bob
from tests.plans import faults, heard, plans, rows_read
from tests.rest import Caller

FILL = Path(__file__).with_name("large.sql")
BY_TICKET = ("streamByTicket", "streamAccountByTicket")
LARGE = ("player", "token", "game", "seat", "seed", "event", "lobby_event", "outbox", "idempotency", "seal", "talk")
LARGE += ("action_link", "note", "seat_request", "invitation", "mail_mute", "former_player", "move_order", "absence")
LARGE += ("inbound_mail", "webhook", "channel", "report", "sign_in", "mail_request", "mail_trouble")
LARGE += ("result", "result_seat", "rating", "rating_step")
LARGE += ("league", "competition", "entrant", "pairing")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def large(servers: LocalServers, settings: Settings) -> Iterator[tuple[str, Runtime]]:
    """The owner's address of a database with many games, and the service on it."""
    with fresh_database(servers, "large") as (owner, application):
        upgrade(owner)
        address = owner.replace("+psycopg", "")
        with psycopg.connect(address, autocommit=True) as db:
            db.execute(FILL.read_text())
            db.execute("vacuum analyze")
        runtime = Runtime.build(replace(settings, database_url=application))
        yield address, runtime
        runtime.engine.dispose()


def test_no_operation_reads_or_sorts_a_large_table(large: tuple[str, Runtime]) -> None:
    address, runtime = large
    api = Caller(create_app(runtime).test_client())
    games, asked_of = runtime.games, dict[str, tuple[str, Any]]()
    for name, situation in SITUATIONS.items():
        scene = Scene(api, games, alice(games), bob(games, email=None))
        asked = situation(scene)
        with heard(runtime.engine) as statements:
            answer = ask(api if name in BY_TICKET else api.by(scene.alice), name, asked)
            answer.close()
        assert answer.status_code < 400, name
        asked_of |= {statement: (name, parameters) for statement, parameters in statements.items()}

    found = plans(address, {statement: parameters for statement, (_, parameters) in asked_of.items()})

    assert len(found) > 100
    assert [(asked_of[each][0], faults(top, LARGE)) for each, top in found.items() if faults(top, LARGE)] == []


def test_the_page_of_ones_own_games_reads_no_large_table(large: tuple[str, Runtime]) -> None:
    address, runtime = large
    person = alice(runtime.games)
    for _ in range(3):
        started(runtime.games, "new-corp-order", [person, bob(runtime.games, email=None)])
    app = create_app(replace(runtime, games=Games(runtime.engine, runtime.games.rulesets)))
    web = browser(app, runtime.games, person)
    with heard(runtime.engine) as statements:
        assert web.get("/games").text.count('class="gm-row') == 3

    found = plans(address, statements)

    assert len(found) >= 6
    assert [each for each, top in found.items() if faults(top, LARGE)] == []


def test_a_search_of_an_operator_reads_no_large_table(large: tuple[str, Runtime]) -> None:
    address, runtime = large
    with heard(runtime.engine) as statements, runtime.engine.connect() as db:
        assert find_players(db, "Player 7")
        assert find_games(db, "Table 7")
    searches = {each: values for each, values in statements.items() if "lower(name)" in each}

    found = plans(address, searches)

    assert len(found) == 2
    assert [each for each, top in found.items() if faults(top, LARGE)] == []


def test_a_mail_that_came_back_is_laid_to_a_player_without_reading_all(large: tuple[str, Runtime]) -> None:
    address, runtime = large
    with heard(runtime.engine) as statements, runtime.engine.begin() as db:
        assert mail.note_suppression(
            db, mail.suppression_digest("p7@example.org"), "unknown-address", "5.1.1", clock.now()
        )
    with runtime.engine.connect() as db:
        assert db.execute(text("select unreachable from player where email = 'p7@example.org'")).scalar_one()

    assert [each for each, top in plans(address, statements).items() if faults(top, LARGE)] == []


FEW = ("origin=import", "status=open", "status=running", "status=cancelled", "ruleset=sealed-bids", "seats_free=1")
"""Filters that few of the games match, or only the newest do, or none."""


@pytest.mark.parametrize(
    "wanted", [*FEW, *(f"{each}&sort=deadline" for each in FEW), "ruleset=sealed-bids&status=open"]
)
def test_a_filter_that_few_games_match_reads_few_games(wanted: str, large: tuple[str, Runtime]) -> None:
    address, runtime = large
    api = Caller(create_app(runtime).test_client()).by(alice(runtime.games, email=None))
    with heard(runtime.engine) as statements:
        assert api.get(f"/games?mine=false&{wanted}").status_code == 200

    lists = {each: values for each, values in statements.items() if "as seats_taken" in each}
    assert len(lists) == (wanted.partition("&")[0] != "status=cancelled"), "nobody may see any of those"
    assert rows_read(address, lists) < 3_000
