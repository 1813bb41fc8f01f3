"""Table of rate limits, the single source of their enforcement, headers and documentation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from service.http.waiting_slots import MAX_STREAMS, MAX_STREAMS_PER_NETWORK, MAX_WAITS
from service.store.quotas import DAY, KNOWN, NEWCOMER

MINUTE, HOUR = 60, 3600


@dataclass(frozen=True, slots=True)
class Limit:
    """Bucket of requests: at most `quota` requests of a subject are served in each `window` (seconds).

    The subject (`per`) is an account (without one, the network address), a network address, or the mail address in a
    request. If only refusals count, requests are still carried out beyond the quota, but refusals are answered with
    429. A `hot` bucket is counted too often to wait long for Redis on a busy machine.
    """

    bucket: str
    covers: str
    quota: int
    window: int
    per: Literal["account", "address", "mail address", "account and address"] = "account"
    counts: Literal["requests", "refusals", "mails"] = "requests"
    hot: bool = False


RATE_LIMITS = (
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
    Limit("absences", "Announcing, changing and ending absences, each of which the log of every game tells.", 30, HOUR),
    Limit("players", "Creating players.", 120, HOUR, "address"),
    Limit("fresh-link", "Asking for a fresh link, on the page of a mailed one.", 20, HOUR, "address"),
    Limit("sign-in", "Asking for sign-in mails.", 10, HOUR, "address"),
    Limit("sign-in-code", "Signing in by the code of another device.", 10, HOUR, "address"),
    Limit("sign-in-mail", "Asking for sign-in and trial mails to one mail address.", 3, HOUR, "mail address"),
)


MAIL_LIMITS = (
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
"""Limits that `service.store.quotas` counts when mails are queued, from midnight to midnight (UTC)."""


WAITING_LIMITS = (
    ("Streams of events.", MAX_STREAMS, "account"),
    ("Streams of events.", MAX_STREAMS_PER_NETWORK, "address"),
    ("Requests that wait for events.", MAX_WAITS, "account"),
)
"""Limits on open requests: a description, the number in each web process, and the subject.

They protect the threads of a process, so each process counts its own. A count over all processes would need an update
by every waiting request, and a killed process would leave its slots taken.
"""


WAITING_NOTE = (
    "So many may be open at the same time in each process of the web server; one more is refused as "
    "`/problems/too-many-waiting`. Which process gets a request is chance, so only the first number is sure:"
)


BUCKETS = {limit.bucket: limit for limit in RATE_LIMITS}


@dataclass(frozen=True, slots=True)
class LimitUse:
    """Use of a limit by a subject: the number counted, and the seconds until the window ends (`reset`)."""

    limit: Limit
    used: int
    reset: int

    @property
    def left(self) -> int:
        """Return how many more requests are served in this window."""
        return max(0, self.limit.quota - self.used)

    @property
    def exceeded(self) -> bool:
        """Return whether the last request counted was beyond the quota."""
        return self.used > self.limit.quota
