"""Migrations newer than the last release leave its code running, and the schema says which code can live with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, NullPool, create_engine, text

from service.local.servers import LocalServers
from service.store.migrations import configuration
from service.store.revision import NEWEST, OLDEST, Schema, read_schema
from tests.house import fresh_database
from tests.upgrade.catalog import Catalog, broken, read_catalog
from tests.upgrade.expand import fault
from tests.upgrade.releases import LAST

Empty = Callable[[], tuple[str, str]]


def revisions(config: Config) -> list[str]:
    """All revisions, oldest first."""
    return [each.revision for each in ScriptDirectory.from_config(config).walk_revisions()][::-1]


@pytest.fixture(scope="module")
def steps(servers: LocalServers) -> dict[str, tuple[Catalog, Catalog]]:
    """The catalog before and after each migration newer than the last release or than OLDEST."""
    first = min(LAST.revision, OLDEST)
    found: dict[str, tuple[Catalog, Catalog]] = {}
    with (
        fresh_database(servers, "steps") as (owner, _),
        create_engine(owner, poolclass=NullPool).connect() as db,
    ):
        command.upgrade(configuration(db), first)
        before = read_catalog(db)
        for revision in [each for each in revisions(configuration(db)) if each > first]:
            db.commit()
            command.upgrade(configuration(db), revision)
            found[revision] = before, (before := read_catalog(db))
    return found


def test_no_migration_since_the_last_release_breaks_its_code(steps: dict[str, tuple[Catalog, Catalog]]) -> None:
    # given each migration since the last release, with the catalogs before and after it
    scripts = ScriptDirectory(str(Path(__file__).parents[2] / "service" / "store" / "migrations"))
    new = {name: each for name, each in steps.items() if name > LAST.revision}
    # then each only adds, or contracts what a released migration has made superfluous
    faults = [fault(scripts.get_revision(name).module, broken(*each), LAST.revision) for name, each in new.items()]
    assert [each for each in faults if each] == []


def test_this_code_works_from_the_first_revision_on_that_has_all_it_uses(
    steps: dict[str, tuple[Catalog, Catalog]],
) -> None:
    newest = steps[NEWEST][1] if steps else None
    same = [name for name, (_, after) in steps.items() if after == newest]
    # A later OLDEST would only be too careful; an earlier one would let requests fail on what is not there.
    assert (same or [NEWEST])[0] == OLDEST, "set OLDEST in service/store/revision.py"


@pytest.fixture
def db(owner_url: str) -> Iterator[Connection]:
    """The migrated database as its owner, in a transaction that is taken back."""
    engine = create_engine(owner_url, poolclass=NullPool)
    with engine.connect() as connection:
        # Tests of others wait no longer than they have to.
        connection.execute(text("set local lock_timeout = '20s'"))
        yield connection
        connection.rollback()
    engine.dispose()


HARMFUL = {
    "drop table blocked_address": "table blocked_address is gone",
    "alter table blocked_address rename to refused_address": "table blocked_address is gone",
    "alter table player drop column blocked": "column player.blocked is gone",
    "alter table player rename column blocked to refused": "column player.blocked is gone",
    "alter table player alter column blocked type varchar(80)": "column player.blocked was text and is",
    "truncate mail_wishes; alter table mail_wishes alter column reminders set not null":
        "mail_wishes.reminders may no longer be null",
    "alter table seat alter column looked drop default": "seat.looked had the default false and has None",
    "truncate report; alter table report add column rank integer not null": "may not be null and has no default",
    "alter table mode drop constraint mode_what_check, add constraint mode_what_check check (what <> '')": "was CHECK",
    "alter table report add constraint short check (length(words) < 9) not valid": "new to a table that older code",
    "alter table player add column sure boolean not null default false, add constraint paired check"
    " (sure or not email_verified) not valid": "constraint player paired is new",
    "alter table absence add constraint once unique (player_id, begins)": "constraint absence once is new",
    "truncate report; create unique index one_name on report (reporter, about)": "unique index report one_name is new",
    "drop index invitation_seat": "unique index invitation invitation_seat is gone",
    "alter table blocked_address drop constraint blocked_address_pkey": "blocked_address_pkey is gone",
    "create table mine (seat uuid references calendar)": "keeps older code from deleting rows of calendar",
    "create or replace function refuse_change() returns trigger language plpgsql as 'begin return null; end'":
        "function refuse_change() is gone or does something else",
    "drop trigger operator_event_is_append_only on operator_event": "operator_event_is_append_only is gone",
    "create or replace trigger event_is_append_only before update on event for each statement"
    " execute function refuse_change()": "event event_is_append_only is gone or does something else",
    "create trigger silent after delete on report for each row execute function refuse_change()": "silent is new",
    "create trigger silent before insert on report for each row execute function refuse_change()": "silent is new",
    "alter domain idempotency_key drop constraint idempotency_key_check;"
    " alter domain idempotency_key add constraint idempotency_key_check check (length(value) < 9) not valid":
        "idempotency_key_check was CHECK",
}  # fmt: skip
HARMLESS = (
    "create trigger silent after delete on event for each statement execute function refuse_change()",
    "create table mine (id bigint primary key, player uuid references player, what text check (what <> ''))",
    "alter table player add column rank integer",
    "alter table player add column rank integer not null default 0, add constraint ranked check (rank >= 0)",
    "alter table player add column pet uuid unique",
    "alter table seat_request drop constraint seat_request_answer_check",
    "alter table report alter column words drop not null",
    "create index report_words on report (words)",
    "create function fresh() returns integer language sql as 'select 1'",
    "alter table calendar add column x integer; create table mine (seat uuid references calendar on delete cascade)",
)


@pytest.mark.parametrize("sql", HARMFUL)
def test_what_older_code_cannot_live_with_is_found(sql: str, db: Connection) -> None:
    before = read_catalog(db)
    db.execute(text(sql))
    found = broken(before, read_catalog(db))
    assert len(found) == 1 and HARMFUL[sql] in found[0], found


@pytest.mark.parametrize("sql", HARMLESS)
def test_what_older_code_can_live_with_is_let_through(sql: str, db: Connection) -> None:
    before = read_catalog(db)
    db.execute(text(sql))
    assert broken(before, read_catalog(db)) == []


OTHERWISE = "trigger a c is gone or does something else"


def migration(**said: str) -> ModuleType:
    return cast(ModuleType, SimpleNamespace(revision="0099", **said))


@pytest.mark.parametrize(
    ("said", "breaks", "wrong"),
    [
        ({}, [], ""),
        ({}, ["column a.b is gone"], "breaks the code of the last release: column a.b is gone"),
        ({"contracts": "0030"}, ["column a.b is gone"], ""),
        ({"contracts": "0030"}, [], "takes nothing away"),
        ({"contracts": "0041"}, ["column a.b is gone"], "which is not released"),
        ({"relaxes": "a c"}, [OTHERWISE], ""),
        ({"relaxes": "a c"}, [], "leaves it as it was"),
        ({"relaxes": "a c"}, ["trigger a c is new to a table that older code writes"], "leaves it as it was"),
        ({"relaxes": "a c"}, [OTHERWISE, "column a.b is gone"], "breaks the code of the last release: column a.b is"),
        ({"relaxes": "a d"}, [OTHERWISE], "leaves it as it was"),
        ({"relaxes": "a c", "contracts": "0030"}, [OTHERWISE], "takes nothing away"),
    ],
)
def test_a_migration_that_takes_away_names_the_released_one_that_replaced_it(
    said: dict[str, str], breaks: list[str], wrong: str
) -> None:
    found = fault(migration(**said), breaks, "0040")
    assert (wrong in found) if wrong else (found == "")


@pytest.mark.parametrize(
    ("schema", "fits"),
    [
        (Schema(None), False),
        (Schema("0001"), False),
        (Schema(OLDEST), True),
        (Schema(NEWEST, "0032"), True),
        (Schema("9999", NEWEST), True),
        (Schema("9999", "9998"), False),
        (Schema("9999"), False),
    ],
)
def test_code_works_from_its_oldest_schema_to_what_newer_migrations_have_left_of_it(schema: Schema, fits: bool) -> None:
    assert schema.fits is fits


NEXT = '''
"""A migration of a later release."""
from alembic import op
revision = {name!r}
down_revision = {before!r}
branch_labels = None
depends_on = None
{contracts}
def upgrade():
    """Change something."""
    op.execute({sql!r})
'''


def test_each_migration_writes_down_which_code_can_live_with_the_schema(empty_database: Empty, tmp_path: Path) -> None:
    # given a database of this version, and later releases: one that adds, one that takes away, one that adds again
    owner, _ = empty_database()
    later = {
        "9001": ("", "alter table player add column rank integer"),
        "9002": ("contracts = '9001'", "alter table player drop column blocked"),
        "9003": ("", "alter table player add column pet text"),
    }
    before = NEWEST
    for name, (contracts, sql) in later.items():
        said = NEXT.format(name=name, before=before, contracts=contracts, sql=sql)
        (tmp_path / f"{name}_later.py").write_text(said)
        before = name
    said = {}
    engine = create_engine(owner, poolclass=NullPool)
    with engine.connect() as db:
        config = configuration(db)
        folder = Path(str(config.get_main_option("script_location"))) / "versions"
        config.set_main_option("path_separator", "newline")
        config.set_main_option("version_locations", f"{folder}\n{tmp_path}")
        for name in (NEWEST, *later):
            # when each is carried out
            command.upgrade(config, name)
            said[name] = read_schema(db)
            db.commit()
    engine.dispose()
    # then the schema names the code that can live with it, and what was taken away stays away
    assert {name: (each.oldest_code, each.fits) for name, each in said.items()} == {
        NEWEST: ("0032", True),
        "9001": ("0032", True),
        "9002": ("9001", False),
        "9003": ("9001", False),
    }
