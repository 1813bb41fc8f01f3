"""Python reads this when it starts under a libfaketime that leaves the monotonic clock alone.

Of that clock it refuses to sleep until a moment, and `time.sleep` does just that.
"""

import select
import time
from typing import SupportsIndex


def sleep(seconds: SupportsIndex | float, /) -> None:
    """Do nothing for so many seconds."""
    select.select((), (), (), float(seconds))


time.sleep = sleep
