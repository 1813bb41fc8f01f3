"""Python reads this when it starts under a libfaketime that leaves the monotonic clock alone.

Of that clock it refuses to sleep until a moment, and `time.sleep` does just that. Where CHAOS_CLOCKS names a folder, a
part of the service starts anew under libfaketime, by the file there that has its name.
"""

import os
import select
import sys
import time
from typing import SupportsIndex


def sleep(seconds: SupportsIndex | float, /) -> None:
    """Do nothing for so many seconds."""
    select.select((), (), (), float(seconds))


time.sleep = sleep

clocks = os.environ.get("CHAOS_CLOCKS")
if clocks and "LD_PRELOAD" not in os.environ and {"service.serve", "workers.parts"} & {*sys.orig_argv}:
    os.environ |= {
        "LD_PRELOAD": os.environ["CHAOS_LIBRARY"],
        "FAKETIME_TIMESTAMP_FILE": f"{clocks}/{os.environ.get('PART') or 'parts'}",
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    os.execv(sys.executable, sys.orig_argv)
