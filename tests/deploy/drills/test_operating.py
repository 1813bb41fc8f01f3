"""The commands of docs/operating.md, carried out as they stand there in an empty folder, on servers elsewhere."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.deploy.building import Built
from tests.deploy.servers import Servers
from tests.docs.rooms import ROOT
from tests.ports import free_port

PAGE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
SECONDS = 1200

pytestmark = pytest.mark.slow


def test_the_commands_of_the_page_install_start_play_back_up_and_restore(
    built: Built, elsewhere: Servers, tmp_path: Path
):
    # given an empty folder with a release in it, and servers that know nobody yet
    folder = tmp_path / "boardroom"
    folder.mkdir()
    for each in (built.wheel, built.sdist):
        shutil.copy(each, folder)
    elsewhere.forget_roles()
    # when the blocks of the page are carried out in one shell
    script = "\n".join(["set -euo pipefail", "trap 'echo FAILED: $BASH_COMMAND' ERR", *BLOCKS, "echo all done"])
    with (folder / "said").open("wb") as said:
        shell = subprocess.Popen(
            ["bash", "-c", script], cwd=folder, stdout=said, stderr=subprocess.STDOUT, env=environment(elsewhere),
            start_new_session=True,
        )  # fmt: skip
        try:
            code = shell.wait(SECONDS)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)
    # then each of them succeeds
    told = (folder / "said").read_text()
    assert (code, told.splitlines()[-1:]) == (0, ["all done"]), told[-4000:]
    # and the parts were ready after each of their four starts, and the game came back with the dump
    assert told.count('"status":"ready"') == 4, told
    assert "games that hold: 1, " in told, told


def environment(servers: Servers) -> dict[str, str]:
    """Return what the page expects of the machine: where the servers are, and PostgreSQL's own programs."""
    admin = urlsplit(servers.admin_url)
    port = free_port()
    return {
        "PATH": f"{servers.programs}:{os.environ['PATH']}",
        "HOME": os.environ.get("HOME", "/"),
        "LANG": "C.UTF-8",
        **{name: value for name, value in os.environ.items() if name.startswith("PIP_")},
        "PGHOST": str(admin.hostname),
        "PGPORT": str(admin.port),
        "PGUSER": str(admin.username),
        "PGPASSWORD": str(admin.password),
        "REDIS_URL": servers.redis_url,
        "SMTP_URL": servers.smtp_url,
        "PORT": str(port),
        "BASE_URL": f"http://127.0.0.1:{port}",
        "TRUSTED_PROXIES": "0",
        "INBOX_PORT": str(free_port()),
    }
