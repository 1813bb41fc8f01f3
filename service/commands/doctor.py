"""`boardroom doctor`: looks whether everything is there that the service and its mails need, and says what to do."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from service.commands.doctor_checks import examine
from service.commands.examination import Examination
from service.commands.terminal import say_text, say_verdict
from service.local.environment import read_environment


@click.command("doctor", epilog="Exit code: 0, 1 if anything fails.")
@click.option("--json", "as_json", is_flag=True, help="one JSON object for each thing looked at")
@click.option("--dns", metavar="HOST[:PORT]", help="ask this name server (an IP address)")
@click.option(
    "--selector",
    "selectors",
    multiple=True,
    metavar="NAME",
    help="the selector of a DKIM key; may be given more than once",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="look at what `boardroom up` runs on this folder",
)
def command(as_json: bool, dns: str | None, selectors: Sequence[str], data: Path | None) -> int:
    """Look whether everything is there that the service and its mails need, DNS included, and say what to do.

    It changes nothing and sends no mail. There is a line for each thing looked at.
    """
    failed = False
    for finding in _running(data) or examine(dns, selectors):
        failed = failed or finding.level == "fail"
        if as_json:
            say_text(json.dumps(asdict(finding)))
        else:
            todo = f" {finding.todo}" if finding.todo else ""
            say_verdict("", f"{finding.level:4}", f"  {finding.name}: {finding.said}.{todo}")
    return int(failed)


def _running(data: Path | None) -> list[Examination]:
    """Take on the settings of what runs on the folder; return what is wrong if nothing does."""
    found: Mapping[str, str] | None = {} if data is None else read_environment(data)
    if found is None:
        return [Examination("settings", "fail", f"nothing runs on the folder {data}", "Start it: `make up`.")]
    os.environ.update(found)
    return []
