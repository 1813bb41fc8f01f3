"""The sending rate: how many mails leave in a minute, to one domain and in all. Mails above it wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service.shared import clock
from service.shared.counters import Counters

MINUTE: Final = 60
_ALL: Final = "all"


class NotYet(Exception):
    """The mail was not sent, because it exceeds the sending rate; it may be sent in so many `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"to be sent in {seconds:.0f} s")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class SendingRate:
    """The mails a minute `to_a_domain`, and `in_all`, by all processes that share the counters.

    Mails above the rate are spread over the following minutes.
    """

    counters: Counters
    to_a_domain: int
    in_all: int

    def count(self, domain: str) -> float:
        """Count a mail to a domain; return how many seconds it has to wait, 0 if it may leave now."""
        now = clock.now().timestamp()
        return self._wait(domain.lower(), self.to_a_domain, now) or self._wait(_ALL, self.in_all, now)

    def _wait(self, name: str, most: int, now: float) -> float:
        minute = now // MINUTE
        minutes, before = divmod(self.counters.add(f"mails:{name}:{minute:.0f}", 2 * MINUTE) - 1, most)
        return max(0.0, (minute + minutes + before / most) * MINUTE - now) if minutes else 0.0
