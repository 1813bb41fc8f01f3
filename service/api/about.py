"""What the service says of itself."""

from __future__ import annotations

from dataclasses import asdict

from flask import Response

from schemas.operation import LimitsListed
from service.api.auth import guard
from service.api.contract import Answers, Resource
from service.http.limit_table import WAITING_LIMITS
from service.http.limits import limits
from service.http.responses import as_json

about = Resource("about", __name__, description="The service itself.")
guard(about)


@about.operation("/limits", Answers(schema=LimitsListed), public=True)
def list_limits() -> Response:
    """List the limits: how many requests of which kind are answered in how many seconds, or may wait at one time.

    The same list tells how many mails to others one may cause in a day.
    """
    processes = limits().processes
    rooms = [
        {"covers": covers, "most": most, "processes": processes, "per": per} for covers, most, per in WAITING_LIMITS
    ]
    items = [asdict(limit) for limit in (*limits().table.values(), *limits().mails)]
    return as_json({"items": items, "open": rooms})
