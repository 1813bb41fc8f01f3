"""`python -m service.texts` brings the catalogs up to date, `python -m service.texts check` says what is wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import service
from service.texts import po_files
from service.texts.check import faults, key_usage
from service.texts.merge import merge

_ROOT = Path(service.__file__).parents[1]


def main(arguments: list[str]) -> int:
    """Do what the arguments say; return the exit status: 1 where the check finds anything."""
    if arguments != ["check"]:
        merge(po_files.LOCALE)
        return 0
    found = faults(po_files.LOCALE, key_usage(*(_ROOT / room for room in ("service", "schemas", "workers"))).names)
    sys.stderr.writelines(f"{fault}\n" for fault in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
