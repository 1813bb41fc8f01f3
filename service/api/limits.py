"""How often one may ask: the one table of limits, from which come enforcement, headers and documentation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal
from uuid import UUID

from flask import Flask, Response, current_app

from service import clock
from service.api.asked import asked
from service.api.hall import STREAMS, STREAMS_OF_NETWORK, WAITS
from service.api.problems import Refused, problem
from service.counting import SURE, Counters
from service.network import network
from service.settings import PROCESSES, Settings
from service.store.budget import DAY, KNOWN, NEWCOMER, Budget

LIMITS = "limits"
"""Where the app keeps its Limits."""

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
_ROOMS = (
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


class Limits:
    """The table as it is enforced, every quota times a factor; with the factor 0 it is empty."""

    def __init__(self, factor: float, redis_url: str | None) -> None:
        self.table = {
            name: replace(limit, quota=max(1, round(limit.quota * factor))) for name, limit in BUCKETS.items() if factor
        }
        self.mails = tuple(replace(limit, quota=Budget(factor).quota(limit.quota)) for limit in MAILS if factor)
        self._hot, self._sure = Counters(redis_url), Counters(redis_url, SURE)
        self._factor = factor

    def budget(self, network: str) -> Budget:
        """Return how many mails a request from a network address may cause."""
        return Budget(self._factor, network)

    def spend(self, limit: Limit, subject: str) -> Standing:
        """Count one more against the subject."""
        name, reset = _window(limit, subject)
        return Standing(limit, self._of(limit).add(name, limit.window), reset)

    def look(self, limit: Limit, subject: str) -> Standing:
        """Return where the subject stands."""
        name, reset = _window(limit, subject)
        return Standing(limit, self._of(limit).look(name), reset)

    def recall(self, limit: Limit, subject: str) -> Standing:
        """Return where the subject stands or stood a moment ago, which is good enough to be told."""
        name, reset = _window(limit, subject)
        return Standing(limit, self._of(limit).recall(name), reset)

    def of_account(self, account: UUID) -> Iterator[Standing]:
        """Return where the account stands with each limit that there is for accounts."""
        limits = (limit for limit in self.table.values() if limit.per == "account")
        return (self.look(limit, str(account)) for limit in limits)

    def _of(self, limit: Limit) -> Counters:
        return self._hot if limit.hot else self._sure


def install(app: Flask, settings: Settings) -> None:
    """Have the app enforce the limits, and say in each answer to a limited request where one stands."""
    app.extensions[LIMITS] = Limits(settings.rate_limits, settings.redis_url)
    app.extensions["admits"] = _admits
    app.extensions["budget"] = budget
    app.after_request(_tell)


def limits() -> Limits:
    """Return the limits of the app."""
    found: Limits = current_app.extensions[LIMITS]
    return found


def usual_bucket(method: str) -> str:
    """Return the bucket of an operation that names none."""
    return "reading" if method == "GET" else "writing"


def admit(bucket: str, account: UUID | None) -> None:
    """Count the request in the bucket, for the account or else its address; raises Refused when it is too many."""
    known, request = limits(), asked()
    limit = known.table.get(bucket)
    if limit is None:
        return
    request.subject = network(request.remote_addr or "") if account is None or limit.per == "address" else str(account)
    if limit.counts == "requests":
        _spend(limit, request.subject)
    else:
        request.standing = known.recall(limit, request.subject)


def admit_mail(email: str) -> None:
    """Count a sign-in mail to the mail address; raises Refused when it is too many, whether anybody has it or not."""
    limit = limits().table.get("sign-in-mail")
    if limit is not None:
        _spend(limit, email.lower())


def budget() -> Budget:
    """Return what the request at hand may cause in mails."""
    return limits().budget(network(asked().remote_addr or ""))


def _admits(bucket: str, account: UUID | None, email: str | None) -> bool:
    """Count the form of a page, as `admit` and `admit_mail` count requests; return whether it may be carried out."""
    try:
        admit(bucket, account)
        if email is not None:
            admit_mail(email)
    except Refused:
        return False
    return True


def refuse_if_exhausted() -> None:
    """Raise Refused if the bucket is used up in which refusals count: for what is sure to be refused, at some cost."""
    request = asked()
    standing = request.standing
    if standing is not None and not limits().look(standing.limit, request.subject).left:
        raise Refused("rate-limited")


def markdown() -> str:
    """Return the table for the document of the API."""
    lines = [
        f"| `{each.bucket}` | {each.covers} | {each.quota} | {each.window} s | {each.per} |"
        for each in (*TABLE, *MAILS)
    ]
    rooms = [f"| {covers} | {most} | {PROCESSES} | {most * PROCESSES} | {per} |" for covers, most, per in ROOMS]
    head = ["| Bucket | Covers | Quota | Window | Per |", "|---|---|---|---|---|"]
    head_of_rooms = ["| Covers | In each process | Processes | In all | Per |", "|---|---|---|---|---|"]
    return "\n".join([*head, *lines, "", _ROOMS, "", *head_of_rooms, *rooms])


def _spend(limit: Limit, subject: str) -> None:
    asked().standing = standing = limits().spend(limit, subject)
    if standing.exceeded:
        raise Refused("rate-limited", **_members(standing))


def _window(limit: Limit, subject: str) -> tuple[str, int]:
    """Return the name of the counter that counts now, and the seconds until the next one does."""
    number, passed = divmod(int(clock.now().timestamp()), limit.window)
    return f"{limit.bucket}:{subject}:{number}", limit.window - passed


def _tell(response: Response) -> Response:
    request = asked()
    standing = request.standing
    if standing is None:
        return response
    if standing.limit.counts == "refusals" and 400 <= response.status_code < 500:
        standing = limits().spend(standing.limit, request.subject)
        if standing.exceeded:
            response = problem("rate-limited", **_members(standing))
    name, limit = f'"{standing.limit.bucket}"', standing.limit
    headers = response.headers
    headers.add("RateLimit-Policy", f"{name};q={limit.quota};w={limit.window}")
    headers.add("RateLimit", f"{name};r={standing.left};t={standing.reset}")
    if response.status_code == 429:
        headers.setdefault("Retry-After", str(standing.reset))
    return response


def _members(standing: Standing) -> dict[str, Any]:
    return {"bucket": standing.limit.bucket, "seconds": standing.reset}
