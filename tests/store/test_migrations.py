"""The tables in the database are those the code knows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib import import_module
from uuid import UUID, uuid4

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.dialects.postgresql import DOMAIN
from sqlalchemy.dialects.postgresql.base import PGInspector
from sqlalchemy.exc import DBAPIError, IntegrityError

from service.handlers.authentication import authenticate
from service.store import migrations
from service.store.access import SCOPES
from service.store.engine import build_engine
from service.store.games import Games
from service.store.migrations import configuration, upgrade
from service.store.revision import NEWEST
from service.store.tables import metadata


def test_an_empty_database_is_brought_to_the_tables_that_the_code_knows(
    empty_database: Callable[[], tuple[str, str]],
) -> None:
    owner, _ = empty_database()
    upgrade(owner)
    engine = create_engine(owner)
    with engine.connect() as db:
        context = MigrationContext.configure(db, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []
        assert set(metadata.tables) < set(inspect(db).get_table_names())
    engine.dispose()


def test_upgrades_at_the_same_time_and_again_change_nothing(empty_database: Callable[[], tuple[str, str]]) -> None:
    owner, _ = empty_database()
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(upgrade, [owner] * 3))
    upgrade(owner)
    engine = create_engine(owner)
    with engine.connect() as db:
        found = db.execute(text("select version_num from alembic_version")).scalars().all()
        assert found == [_head(db)] == [NEWEST]
    engine.dispose()


@pytest.mark.parametrize("code", ["40P01", "55P03"])
def test_a_revision_that_others_are_in_the_way_of_is_tried_again(owner_url: str, code: str) -> None:
    tries: list[None] = []
    engine = create_engine(owner_url)

    def met() -> None:
        tries.append(None)
        if len(tries) == 1:
            db.exec_driver_sql(f"do $$ begin raise exception using errcode = '{code}'; end $$")

    with engine.connect() as db:
        migrations._try_again(db, met)
        assert len(tries) == 2
        tries.clear()
        with pytest.raises(DBAPIError):
            migrations._try_again(db, lambda: db.exec_driver_sql("select 1 / 0"))
    engine.dispose()


def test_a_token_from_before_there_were_scopes_is_good_for_everything(
    empty_database: Callable[[], tuple[str, str]],
) -> None:
    owner, application = empty_database()
    text_of_it = "brd_" + "0" * 30 + "2c8gJs"
    engine = create_engine(owner)
    with engine.begin() as db:
        command.upgrade(configuration(db), "0001")
        values = {"id": uuid4(), "hash": sha256(text_of_it.encode()).digest()}
        db.execute(text("insert into player values (:id, 'Alice', null, 'en', now())"), values)
        db.execute(text("insert into token values (:hash, :id, now())"), values)
    engine.dispose()
    upgrade(owner)
    games = Games(build_engine(application), {})
    found = authenticate(games, text_of_it)
    assert found is not None
    assert (found.player.name, found.token.scopes, found.token.expires_at) == ("Alice", SCOPES, None)
    games.engine.dispose()


def test_the_kinds_of_older_sessions_and_tokens_are_told_apart(
    empty_database: Callable[[], tuple[str, str]],
) -> None:
    owner, _ = empty_database()
    engine = create_engine(owner)
    alice, robot = uuid4(), uuid4()
    made = {
        "browser": (alice, True, "press"),
        "browser, by mail": (alice, True, "mail"),
        "browser, by passkey": (alice, True, "passkey"),
        "browser, by code": (alice, True, "code"),
        "laptop": (alice, False, "personal"),
        "robot": (robot, False, "bot"),
    }
    upgrade(owner)
    with engine.begin() as db:
        person = text(
            "insert into player (id, name, language, owner, created_at) values (:id, 'x', 'en', :owner, now())"
        )
        db.execute(person, [{"id": alice, "owner": None}, {"id": robot, "owner": alice}])
        token = text(
            "insert into token (id, hash, player_id, label, browser, scopes, last_four, created_at)"
            " values (gen_random_uuid(), sha256(convert_to(:label, 'UTF8')), :player, :label, :browser, '', '', now())"
        )
        for label, (player, browser, _kind) in made.items():
            db.execute(token, {"label": label, "player": player, "browser": browser})
        db.exec_driver_sql(import_module("service.store.migrations.versions.0054_token_kinds").FILL)
        kinds = {row.label: row.kind for row in db.execute(text("select label, kind from token"))}
    engine.dispose()
    assert kinds == {label: kind for label, (_player, _browser, kind) in made.items()}


def _head(db: Connection) -> str | None:
    return ScriptDirectory.from_config(configuration(db)).get_current_head()


def test_every_check_that_the_code_knows_is_in_the_database(owner_url: str) -> None:
    engine = create_engine(owner_url)
    with engine.connect() as db:
        for table in metadata.tables.values():
            wanted = {str(check.name) for check in table.constraints if check.__visit_name__ == "check_constraint"}
            there = {check["name"] for check in inspect(db).get_check_constraints(table.name)}
            assert {name.rpartition("%")[2] for name in wanted} <= there, table.name
    engine.dispose()


def test_every_domain_that_the_code_knows_holds_the_same_values_in_the_database(owner_url: str) -> None:
    types = [column.type for table in metadata.tables.values() for column in table.columns]
    wanted = {each.name: _quoted(str(each.check)) for each in types if isinstance(each, DOMAIN)}
    engine = create_engine(owner_url)
    with engine.connect() as db:
        inspector = inspect(db)
        assert isinstance(inspector, PGInspector)
        found = {each["name"]: each["constraints"] for each in inspector.get_domains()}
        assert {name: _quoted(check["check"]) for name, [check] in found.items()} == wanted
    engine.dispose()


@pytest.mark.parametrize(
    ("domain", "right", "wrong"),
    [("event_seq", 1, 0), ("idempotency_key", "k", ""), ("idempotency_key", "k" * 128, "k" * 129)],
)
def test_a_domain_takes_what_is_within_its_limits(owner_url: str, domain: str, right: object, wrong: object) -> None:
    engine = create_engine(owner_url)
    with engine.connect() as db:
        cast = text(f"select cast(:value as {domain})")
        assert db.execute(cast, {"value": right}).scalar() == right
        with pytest.raises(IntegrityError, match=f"{domain}_check"):
            db.execute(cast, {"value": wrong})
    engine.dispose()


def _quoted(check: str) -> set[str]:
    return set(re.findall("'([^']+)'", check))


_SEAT = text("insert into seat (game_id, seat, player_id, nonce, joined_at) values (:game, :seat, :player, 'n', now())")
_PEOPLE = ("signed-in", "invited", "by-link", "playing", "owed", "gone-quiet", "waiting")


def test_whoever_plays_or_has_used_a_mail_goes_on_getting_mails_and_nobody_else_is_written_to(
    empty_database: Callable[[], tuple[str, str]],
) -> None:
    owner, _ = empty_database()
    engine = create_engine(owner)
    with engine.begin() as db:
        command.upgrade(configuration(db), "0020")
        _insert_what_happened(db)
    engine.dispose()
    upgrade(owner)
    engine = create_engine(owner)
    with engine.connect() as db:
        confirmed = db.execute(text("select name from player where email_confirmed order by name")).scalars().all()
        assert confirmed == sorted({*_PEOPLE} - {"gone-quiet", "waiting"})
        asked = db.execute(text("select address_hash from mail_request")).scalars().all()
        assert asked == [sha256(b"invited@example.org").digest()], "an invitation by mail was the one mail"
        assert db.execute(text("select mailed from invitation")).scalar_one()
    engine.dispose()


def _insert_what_happened(db: Connection) -> None:
    """Write games as they were before addresses were confirmed, with each of the people in a case of their own."""
    people = {name: uuid4() for name in _PEOPLE}
    _insert_people(db, people)
    open_game, running, over = (uuid4() for _ in range(3))
    for game, status in ((open_game, "open"), (running, "running"), (over, "finished")):
        _insert_game(db, game, status, people["signed-in"])
    for game, names in ((open_game, ("invited", "waiting")), (running, ("playing",)), (over, ("by-link", "owed"))):
        for number, name in enumerate(names):
            values = {"game": game, "seat": number, "player": people[name]}
            db.execute(_SEAT, values)
    db.execute(
        text(
            "insert into invitation (id, game_id, inviter, email, created_at, expires_at)"
            " values (:id, :game, :host, 'invited@example.org', now(), now())"
        ),
        {"id": uuid4(), "game": open_game, "host": people["signed-in"]},
    )
    db.execute(
        text(
            "insert into event (game_id, seq, name, data, seat, door, decision, at)"
            " values (:game, 1, 'x', '{}', 0, 'link', 1, now())"
        ),
        {"game": over},
    )
    db.execute(
        text(
            "insert into outbox (dedupe_key, kind, game_id, payload) values ('k', 'game-over', :game, '{\"seat\": 1}')"
        ),
        {"game": over},
    )


def _insert_people(db: Connection, people: Mapping[str, UUID]) -> None:
    for name, player in people.items():
        made = text(
            "insert into player (id, name, email, email_verified, language, created_at)"
            " values (:id, :name, :email, :verified, 'en', now())"
        )
        values = {"id": player, "name": name, "email": f"{name}@example.org", "verified": name == "signed-in"}
        db.execute(made, values)


def _insert_game(db: Connection, game: UUID, status: str, host: UUID) -> None:
    made = text(
        "insert into game (id, ruleset, status, seats, options, host, version, commitment, created_at)"
        " values (:id, 'sealed-bids', :status, 3, '{}', :host, 0, '', now())"
    )
    db.execute(made, {"id": game, "status": status, "host": host})
