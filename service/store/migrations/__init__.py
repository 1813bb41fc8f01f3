"""Brings a database to today's tables."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, NullPool, create_engine, text

from service.store.revision import NEWEST

APPLICATION_ROLE = "boardroom_app"
_LOCK = text("select pg_advisory_xact_lock(hashtext('boardroom migrations'))")
_ROLE = text("select 1 from pg_roles where rolname = :role")
_GRANTS = (
    "grant select, insert, update, delete on all tables in schema public to {role}",
    "revoke all on alembic_version from {role}",
    "grant select on alembic_version to {role}",
    # Triggers refuse this to everybody; the application may not even ask.
    "revoke update, delete, truncate on event, seal, seal_day from {role}",
    "revoke delete, truncate on game, seal_key from {role}",
)


class NewerDatabase(Exception):
    """A newer version has brought the database to a revision that this one does not know; nothing was changed."""

    def __init__(self, revision: str) -> None:
        super().__init__(revision)
        self.revision = revision


def configuration(db: Connection) -> Config:
    """Return alembic's configuration for work on the connection, without an ini file."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = db
    return config


def upgrade(database_url: str) -> None:
    """Bring the database to the newest revision and grant the application's role what it needs, in one transaction.

    Safe to call at any time and from several processes at once. The role `boardroom_app` is optional. Raises
    NewerDatabase.
    """
    engine = create_engine(database_url, poolclass=NullPool)
    with engine.begin() as db:
        db.execute(_LOCK)
        there = MigrationContext.configure(db).get_current_revision()
        if there is not None and there > NEWEST:
            raise NewerDatabase(there)
        command.upgrade(configuration(db), "head")
        if db.execute(_ROLE, {"role": APPLICATION_ROLE}).first():
            for grant in _GRANTS:
                db.execute(text(grant.format(role=APPLICATION_ROLE)))
