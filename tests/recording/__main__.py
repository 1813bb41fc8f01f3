"""Record the examples on servers of their own and write them down."""

from __future__ import annotations

import tempfile
from pathlib import Path

from service.api.examples import FOLDER
from service.local.servers import LocalServers
from service.messages.keys import new_key
from service.runtime import Runtime
from service.settings import Settings
from service.store.migrations import upgrade
from tests.recording.pages import write
from tests.recording.story import told

with tempfile.TemporaryDirectory(prefix="boardroom-examples-") as folder:
    Path(folder).chmod(0o711)
    with LocalServers(Path(folder), durable=False) as servers:
        upgrade(servers.owner_url)
        runtime = Runtime.build(
            Settings(
                database_url=servers.database_url,
                redis_url=None,
                base_url="http://127.0.0.1:8000",
                host="127.0.0.1",
                port=8000,
                smtp_url=None,
                mail_from="Boardroom <boardroom@example.org>",
                mailbox=None,
                webhooks_keys=(new_key(),),
                mail_keys=(new_key(),),
                seal_key=new_key(),
                vapid_key=new_key(),
            )
        )
        write(told(runtime), FOLDER)
        runtime.engine.dispose()
