"""Alembic's entry: runs the revisions on the connection that the caller brings.

A migration that takes something away which older code uses has an attribute `contracts`: the revision of the earlier
migration that made it superfluous. Code that knows that revision can live with it, and older code cannot; the comment
of the table `alembic_version` says so to all code, in the transaction of the migration.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, cast

from alembic import context
from alembic.runtime.migration import MigrationContext, MigrationInfo
from alembic.script import Script
from sqlalchemy import text

from service.store.revision import OLDEST_CODE, read_schema
from service.store.tables import metadata

_FIRST_CODE: Final = "0032"
"""The first code with which newer schemas were tried."""


def _note_oldest_code(
    ctx: MigrationContext, step: MigrationInfo, heads: Collection[Any], run_args: Mapping[str, Any]
) -> None:
    """Write down which code can live with the schema after the migration."""
    migration = cast(Script, step.up_revision)
    assert ctx.connection is not None  # noqa: S101 # for the type checker: it is the one that is configured below
    named = (_FIRST_CODE, read_schema(ctx.connection).oldest_code, getattr(migration.module, "contracts", None))
    newest = max(filter(None, named))
    ctx.connection.execute(text(f"comment on table alembic_version is '{OLDEST_CODE}={newest}'"))


# Each revision is a transaction of its own: what one locks is free again before the next begins.
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transaction_per_migration=True,
    on_version_apply=_note_oldest_code,
)
# Nothing where the caller has begun a transaction.
with context.begin_transaction():
    context.run_migrations()
