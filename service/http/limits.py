"""Enforcement of the rate limits of `limit_table`, their headers, and their part of the API's document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

from flask import Flask, Response, current_app

from service.http.limit_table import BUCKETS, MAIL_LIMITS, RATE_LIMITS, WAITING_LIMITS, WAITING_NOTE, Limit, LimitUse
from service.http.problems import problem
from service.http.request import current_request
from service.settings import WEB_PROCESSES, Settings
from service.shared import clock
from service.shared.counters import SURE_TIMEOUT_S, Counters
from service.shared.network import network
from service.shared.refusal import RateLimited
from service.store.quotas import Budget

LIMITS = "limits"
"""Key of the app's extensions for its Limits."""

_ANYBODY = "anybody"
"""Subject whose counter counts the refused subjects of a window."""


class Limits:
    """Table as enforced, every quota times a factor; with factor 0 the table is empty."""

    def __init__(self, factor: float, redis_url: str | None, processes: int = WEB_PROCESSES) -> None:
        """Scale the table; `processes` is the number of web processes, each with its own count of open requests."""
        self.processes = processes
        self.table = {
            name: replace(limit, quota=max(1, round(limit.quota * factor))) for name, limit in BUCKETS.items() if factor
        }
        self.mails = tuple(replace(limit, quota=Budget(factor).quota(limit.quota)) for limit in MAIL_LIMITS if factor)
        self._hot, self._sure = Counters(redis_url), Counters(redis_url, SURE_TIMEOUT_S)
        self._factor = factor

    def budget(self, network: str) -> Budget:
        """Return the quota of mails for a request from a network address."""
        return Budget(self._factor, network)

    def spend(self, limit: Limit, subject: str) -> LimitUse:
        name, reset = _window(limit, subject)
        used = self._of(limit).add(name, limit.window)
        if used == 1 and limit.counts == "refusals":
            self._of(limit).add(_window(limit, _ANYBODY)[0], limit.window)
        return LimitUse(limit, used, reset)

    def look(self, limit: Limit, subject: str) -> LimitUse:
        name, reset = _window(limit, subject)
        return LimitUse(limit, self._of(limit).look(name), reset)

    def recall(self, limit: Limit, subject: str) -> LimitUse:
        """Return the use of the limit by the subject, perhaps stale by a moment; exact enough for headers."""
        counters, (anybody, reset) = self._of(limit), _window(limit, _ANYBODY)
        # Few players act twice in a window, so a cached count would be missing, and almost every action would ask
        # Redis.
        if limit.counts == "refusals" and not counters.recall(anybody):
            return LimitUse(limit, 0, reset)
        return LimitUse(limit, counters.recall(_window(limit, subject)[0]), reset)

    def of_account(self, account: UUID) -> Iterator[LimitUse]:
        """Return the account's use of each limit per account."""
        limits = (limit for limit in self.table.values() if limit.per == "account")
        return (self.look(limit, str(account)) for limit in limits)

    def _of(self, limit: Limit) -> Counters:
        return self._hot if limit.hot else self._sure


def install(app: Flask, settings: Settings) -> None:
    """Make the app enforce the limits, and add the RateLimit headers to each response to a limited request."""
    app.extensions[LIMITS] = Limits(settings.rate_limits, settings.redis_url, settings.web_processes)
    app.extensions["admits"] = _admits
    app.extensions["budget"] = budget
    app.after_request(_add_standing)


def limits() -> Limits:
    found: Limits = current_app.extensions[LIMITS]
    return found


def usual_bucket(method: str) -> str:
    """Return the default bucket of an operation."""
    return "reading" if method == "GET" else "writing"


def admit(bucket: str, account: UUID | None) -> None:
    """Count the request in the bucket, for the account or else its network address; RateLimited beyond the quota."""
    known, request = limits(), current_request()
    limit = known.table.get(bucket)
    if limit is None:
        return
    request.subject = network(request.remote_addr or "") if account is None or limit.per == "address" else str(account)
    if limit.counts == "requests":
        _spend(limit, request.subject)
    else:
        request.standing = known.recall(limit, request.subject)


def admit_mail(email: str) -> None:
    """Count a sign-in mail to the mail address, known or not; RateLimited beyond the quota."""
    limit = limits().table.get("sign-in-mail")
    if limit is not None:
        _spend(limit, email.lower())


def budget() -> Budget:
    """Return the quota of mails for the current request."""
    return limits().budget(network(current_request().remote_addr or ""))


def _admits(bucket: str, account: UUID | None, email: str | None) -> bool:
    """Count the form of a page, as `admit` and `admit_mail` count requests; return whether it is within the limits."""
    try:
        admit(bucket, account)
        if email is not None:
            admit_mail(email)
    except RateLimited:
        return False
    return True


def refuse_if_exhausted() -> None:
    """Raise RateLimited if the bucket of refusals is used up; called before a costly request that will be refused."""
    request = current_request()
    standing = request.standing
    if standing is not None and not limits().look(standing.limit, request.subject).left:
        raise RateLimited


def limits_page() -> str:
    """Return the table for the API's document, with the default number of web processes."""
    lines = [
        f"| `{each.bucket}` | {each.covers} | {each.quota} | {each.window} s | {each.per} |"
        for each in (*RATE_LIMITS, *MAIL_LIMITS)
    ]
    rooms = [
        f"| {covers} | {most} | {WEB_PROCESSES} | {most * WEB_PROCESSES} | {per} |"
        for covers, most, per in WAITING_LIMITS
    ]
    head = ["| Bucket | Covers | Quota | Window | Per |", "|---|---|---|---|---|"]
    head_of_rooms = ["| Covers | In each process | Processes | In all | Per |", "|---|---|---|---|---|"]
    return "\n".join([*head, *lines, "", WAITING_NOTE, "", *head_of_rooms, *rooms])


def _spend(limit: Limit, subject: str) -> None:
    current_request().standing = standing = limits().spend(limit, subject)
    if standing.exceeded:
        raise RateLimited(**_members(standing))


def _window(limit: Limit, subject: str) -> tuple[str, int]:
    """Return the name of the current counter, and the seconds until the next counter begins."""
    number, passed = divmod(int(clock.now().timestamp()), limit.window)
    return f"{limit.bucket}:{subject}:{number}", limit.window - passed


def _add_standing(response: Response) -> Response:
    request = current_request()
    standing = request.standing
    if standing is None:
        return response
    if standing.limit.counts == "refusals" and 400 <= response.status_code < 500:
        standing = limits().spend(standing.limit, request.subject)
        if standing.exceeded:
            response = problem(RateLimited(**_members(standing)))
    response.headers.extend(headers_of(standing))
    if response.status_code == 429:
        response.headers.setdefault("Retry-After", str(standing.reset))
    return response


def headers_of(standing: LimitUse) -> list[tuple[str, str]]:
    """Return the headers about the use of a limit."""
    name, limit = f'"{standing.limit.bucket}"', standing.limit
    policy, use = f"{name};q={limit.quota};w={limit.window}", f"{name};r={standing.left};t={standing.reset}"
    return [("RateLimit-Policy", policy), ("RateLimit", use)]


def _members(standing: LimitUse) -> dict[str, Any]:
    return {"bucket": standing.limit.bucket, "seconds": standing.reset}
