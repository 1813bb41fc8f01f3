"""The faults of a request that are told in the language of the request: keys of texts, and messages of schemas."""

from __future__ import annotations

from typing import Final

BAD_DURATION: Final = "fault-duration"
"""A duration that is not in the form of ISO 8601, or longer than is allowed."""
NO_ZONE: Final = "fault-zone"
"""A time zone that is not in the IANA database."""
NO_SUCH_PACE: Final = "fault-pace-name"
NO_SUCH_LAPSE: Final = "fault-on-lapse"
NAME_OR_TIMES: Final = "fault-name-or-times"
"""A pace has either a name, or own times of which `free` and `bank` are two."""
NO_TIME: Final = "fault-no-time"
"""Free time and bank are less than a minute together."""
NO_CLOCK: Final = "fault-no-clock"
"""A table of the pace `none` has no terms of a clock."""
SOLO: Final = "fault-solo"
"""A game for one has no clock."""
RATED: Final = "fault-rated"
"""Only a table among people with a clock can be rated."""

FAULTS: Final = frozenset(
    {
        BAD_DURATION,
        NO_ZONE,
        NO_SUCH_PACE,
        NO_SUCH_LAPSE,
        NAME_OR_TIMES,
        NO_TIME,
        NO_CLOCK,
        SOLO,
        RATED,
    }
)
