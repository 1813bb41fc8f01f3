"""Tells whether the processes of this container work: exits with 1 if one of them is late with its heartbeat.

Every part of Boardroom writes heartbeats into the database, from the loop that does its work, so one question serves
all of them. While the database does not answer nothing is known of a part, and starting it again would help nobody.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import psycopg

from service.settings import Settings

# A container that is started again keeps its name, and its processes may get the same numbers.
NEWEST = """
select distinct on (part, pid) part, pid, beat_at + interval '1 s' * patience < clock_timestamp() as late
  from heartbeat where host = %s order by part, pid, started_at desc
"""


def main() -> int:
    """Print one line, and return the exit code: 0 for alive or unknown, 1 for not."""
    url = Settings.from_env().database_url
    try:
        with psycopg.connect("postgresql" + url[url.index(":") :], connect_timeout=5) as db:
            rows = db.execute(NEWEST, (socket.gethostname(),)).fetchall()
    except psycopg.Error as refusal:
        print(f"unknown: the database does not answer ({type(refusal).__name__})")
        return 0
    here = [(part, late) for part, pid, late in rows if pid != os.getpid() and Path(f"/proc/{pid}").exists()]
    silent = sorted({part for part, late in here if late})
    print(f"late: {', '.join(silent)}" if silent else f"alive: {len(here)}" if here else "no heartbeat yet")
    return 0 if here and not silent else 1


if __name__ == "__main__":
    sys.exit(main())
