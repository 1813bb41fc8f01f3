"""Alembic's entry: runs the revisions on the connection that the caller brings."""

from __future__ import annotations

from alembic import context

import service.store.post_tables  # noqa: F401 # its tables are in the metadata too
from service.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
