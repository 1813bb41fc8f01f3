"""How many mails leave a minute, to the servers of one domain and in all; what is too much waits, and is not lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service.shared import clock
from service.shared.counters import Counters

MINUTE: Final = 60
_ALL: Final = "all"


class NotYet(Exception):
    """The mail has to wait for so many `seconds`; nothing is wrong with it, and it was not sent."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"to be sent in {seconds:.0f} s")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class SendingRate:
    """So many mails a minute `to_a_domain`, and so many `in_all`, by all processes that share the counters.

    Those that are too many get a place each in the minutes to come, one after the other.
    """

    counters: Counters
    to_a_domain: int
    in_all: int

    def count(self, domain: str) -> float:
        """Count a mail that is about to leave; return for how many seconds it has to wait, 0 if it may leave."""
        now = clock.now().timestamp()
        return self._wait(domain.lower(), self.to_a_domain, now) or self._wait(_ALL, self.in_all, now)

    def _wait(self, name: str, most: int, now: float) -> float:
        minute = now // MINUTE
        minutes, before = divmod(self.counters.add(f"mails:{name}:{minute:.0f}", 2 * MINUTE) - 1, most)
        return max(0.0, (minute + minutes + before / most) * MINUTE - now) if minutes else 0.0
