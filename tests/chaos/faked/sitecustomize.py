"""Python reads this when it starts under a libfaketime that leaves the monotonic clock alone.

Of that clock it refuses to sleep until a moment, and `time.sleep` does just that. Where CHAOS_CLOCKS names a folder
that has a file with the name of a part of the service, that part starts anew under libfaketime and goes by the file.
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

clock = os.path.join(os.environ.get("CHAOS_CLOCKS", ""), os.environ.get("PART") or "parts")
faked = "LD_PRELOAD" in os.environ or not {"service.serve", "workers.parts"} & {*sys.orig_argv}
if "CHAOS_CLOCKS" in os.environ and not faked and os.path.exists(clock):
    os.environ |= {
        "LD_PRELOAD": os.environ["CHAOS_LIBRARY"],
        "FAKETIME_TIMESTAMP_FILE": clock,
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    os.execv(sys.executable, sys.orig_argv)
