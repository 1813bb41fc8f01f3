"""Measure each part while idle, started by a command of its own: the sizes in docs/operating.md."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import sleep

from sqlalchemy import Engine

from service.local.servers import LocalServers
from service.local.supervisor import Child, last_line, wait_until
from service.local.up import free_port
from service.messages.keys import new_key
from service.settings import Settings
from service.store.engine import build_engine
from service.store.migrations import upgrade
from service.views.operation import running_connections
from tests.bench.idle import PATIENCE, SETTLING, below
from tests.bench.processes import MEBIBYTE, memory
from tests.deploy.parts import start
from tests.deploy.processes import documented


def main() -> None:
    """Print what each part takes beside the others, and what of that it shares with none: one more takes that."""
    with idle_parts() as parts:
        sleep(SETTLING)
        for name, child in parts.items():
            processes = [Path(f"/proc/{pid}") for pid in (child.pid, *below(child.pid))]
            taken, own = (sum(map(partial(memory, kind), processes)) / MEBIBYTE for kind in ("Pss", "Private_Dirty"))
            line = {"part": name, "mebibytes": round(taken), "private": round(own), "processes": len(processes)}
            print(json.dumps(line), flush=True)


@contextmanager
def idle_parts() -> Iterator[dict[str, Child]]:
    """Run every part by itself until it has sent a heartbeat."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boardroom-idle-")))
        folder.chmod(0o711)
        servers = stack.enter_context(LocalServers(folder / "data"))
        upgrade(servers.owner_url)
        asked = Settings.from_env(partial=True)
        settings = replace(
            asked,
            database_url=servers.database_url,
            redis_url=servers.redis_url,
            smtp_url=servers.smtp_url,
            port=free_port(),
            inbound_listen=f"lmtp://127.0.0.1:{free_port()}",
            mail_keys=(new_key(),),
            webhooks_keys=(new_key(),),
            seal_key=new_key(),
            vapid_key=new_key(),
        )
        parts = {}
        for name in sorted(documented()):
            parts[name] = start(name, *name.split(), settings=settings, log=folder / f"{name}.log")
            stack.callback(parts[name].stop)
        engine = build_engine(servers.database_url)
        stack.callback(engine.dispose)
        # The web server has several processes, all others one.
        expected = len(parts) - 1 + settings.web_processes
        heard = wait_until(lambda: _heard_of(engine, settings) == expected, PATIENCE)
        assert heard, [last_line(each.program.log) for each in parts.values()]
        yield parts


def _heard_of(engine: Engine, settings: Settings) -> int:
    with engine.connect() as db:
        return running_connections(db, settings).processes


if __name__ == "__main__":
    main()
