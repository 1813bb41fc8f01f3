"""The one table of limits, from which come enforcement, headers and documentation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from service.http.waiting_slots import STREAMS, STREAMS_OF_NETWORK, WAITS
from service.store.budget import DAY, KNOWN, NEWCOMER

MINUTE, HOUR = 60, 3600


@dataclass(frozen=True, slots=True)
class Limit:
    """A bucket of requests: how many (`quota`) are answered in each window, of so many seconds, for one subject.

    The subject is an account (without one, the address), a network address, or the mail address that a request names.
    Where only refusals count, a request is carried out all the same; what would be refused is answered with 429 then.
    A `hot` one is asked for too often to wait long for Redis on a busy machine.
    """

    bucket: str
    covers: str
    quota: int
    window: int
    per: Literal["account", "address", "mail address", "account and address"] = "account"
    counts: Literal["requests", "refusals", "mails"] = "requests"
    hot: bool = False


TABLE = (
    Limit("reading", "Everything that only shows something.", 1200, MINUTE, hot=True),
    Limit("writing", "Everything that changes something and is not named below.", 240, MINUTE, hot=True),
    Limit(
        "actions",
        "Refused actions. A legal one on one's turn is always taken.",
        240,
        MINUTE,
        counts="refusals",
        hot=True,
    ),
    Limit("games", "Creating games.", 120, HOUR),
    Limit("streams", "Opening streams of events.", 60, MINUTE),
    Limit("records", "Getting records, for each of which a whole game is played again.", 60, MINUTE),
    Limit("players", "Creating players.", 120, HOUR, "address"),
    Limit("fresh-link", "Asking for a fresh link, on the page of a mailed one.", 20, HOUR, "address"),
    Limit("sign-in", "Asking for sign-in mails.", 10, HOUR, "address"),
    Limit("sign-in-mail", "Asking for sign-in and trial mails to one mail address.", 3, HOUR, "mail address"),
)


MAILS = (
    Limit(
        "mails",
        "Mails to others that one causes: invitations, rematches, talk, links to sign in, players with an address. "
        "Until the address of one's own account is confirmed, and without an account.",
        NEWCOMER,
        DAY,
        "account and address",
        "mails",
    ),
    Limit("mails-confirmed", "The same, once it is confirmed.", KNOWN, DAY, "account and address", "mails"),
)
"""What is counted where the mails are written (`service.store.budget`), from midnight to midnight (UTC)."""


ROOMS = (
    ("Streams of events.", STREAMS, "account"),
    ("Streams of events.", STREAMS_OF_NETWORK, "address"),
    ("Requests that wait for events.", WAITS, "account"),
)
"""What may be open at the same time, how many in each web process, and for one what.

What is to be saved are the threads of a process, so each counts for itself. A count over all of them would have to be
kept up by every request that waits, and would hold places for the dead after a process was killed.
"""


ROOMS_NOTE = (
    "So many may be open at the same time in each process of the web server; one more is refused as "
    "`/problems/too-many-waiting`. Which process gets a request is chance, so only the first number is sure:"
)


BUCKETS = {limit.bucket: limit for limit in TABLE}


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a subject stands with a limit: how many were counted, and in how many seconds that is forgotten."""

    limit: Limit
    used: int
    reset: int

    @property
    def left(self) -> int:
        """How many more are answered in this window."""
        return max(0, self.limit.quota - self.used)

    @property
    def exceeded(self) -> bool:
        """Whether the last one counted was one too many."""
        return self.used > self.limit.quota
