"""Looks for known holes in the libraries of a lock file: python -m tests.deploy.holes LOCK."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from tests.deploy.tools import FOLDER


def main(words: Sequence[str]) -> int:
    """Return the exit code: 1 for a known hole, 0 for none, also where the data could not be reached."""
    command = [str(FOLDER / "pip-audit"), "--disable-pip", "--require-hashes", "--progress-spinner=off"]
    command += ["--format=json", "--requirement", words[0]]
    asked = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    code, lines = verdict(json.loads(asked.stdout)["dependencies"] if asked.stdout.startswith("{") else [])
    print("\n".join(lines))
    return code


def verdict(libraries: Sequence[dict[str, Any]]) -> tuple[int, list[str]]:
    """Return the exit code and what to say, from what pip-audit found out about each library."""
    asked = [each for each in libraries if "skip_reason" not in each]
    holes = [
        f"{each['name']} {each['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'no version'}"
        for each in asked
        for hole in each["vulns"]
    ]
    if not asked:
        return 0, ["Known holes: NOT looked for, because their data cannot be reached from here."]
    unknown = len(libraries) - len(asked)
    about = f"Known holes in {len(asked)} libraries: {len(holes)}" + (
        f"; {unknown} unknown to the data" if unknown else ""
    )
    return (1 if holes else 0), [about, *holes]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
