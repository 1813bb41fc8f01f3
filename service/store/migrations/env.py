"""Alembic's entry: runs the revisions on the connection that the caller brings."""

from __future__ import annotations

from alembic import context

import service.store.absences
import service.store.channel_tables
import service.store.heartbeats
import service.store.order_tables
import service.store.play_tables
import service.store.post_tables
import service.store.proof_tables
import service.store.seat_tables
import service.store.webhook_tables  # noqa: F401 # the tables of all of them are in the metadata too
from service.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
# Nothing where the caller has begun a transaction.
with context.begin_transaction():
    context.run_migrations()
