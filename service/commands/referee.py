"""Games between two bots of the API: challenged, accepted and counted by a referee who has a token of each."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from service.commands.play_api import Api, GaveUp, ProblemAnswer
from service.commands.refused import Refused, in_words
from service.players.match import win_share

WAIT: Final = 15
"""Seconds for which a request waits for the next event."""
PATIENCE: Final = 120.0
"""Seconds after which a game in which nothing happens is given up."""


@dataclass(frozen=True, slots=True)
class ApiBot:
    """A bot by its handle, and the service as it asks it."""

    handle: str
    api: Api


def api_bot(handle: str, token: Path, url: str) -> ApiBot:
    """Return the bot whose token stands in a file; Refused if it cannot be read."""
    try:
        return ApiBot(handle, Api(url.rstrip("/"), token.read_text(encoding="utf-8").strip()))
    except OSError as error:
        raise Refused(in_words(error)) from error


def play_pairs(one: ApiBot, other: ApiBot, ruleset: str, pairs: int, step: Callable[[], None]) -> list[float]:
    """Return the win rate of one in each pair of games for two, in which each sits in seat 0 once; Refused.

    The service draws a seed for each game, so that the deals of a pair are two.
    """
    rates = []
    for _ in range(pairs):
        first, second = _outcome(one, other, ruleset), _outcome(other, one, ruleset)
        rates.append(fmean((win_share(first, 0), win_share(second, 1))))
        step()
    return rates


def _outcome(host: ApiBot, guest: ApiBot, ruleset: str) -> Any:
    """Return how a game between the two has ended, the host in seat 0."""
    wanted = {"to": guest.handle, "ruleset": ruleset, "seats": 2, "pace": {"name": "none"}}
    sent = _asked(lambda: host.api.post("/challenges", wanted))
    # A bot that accepts by itself may have been faster: the answer is the same.
    game = _asked(lambda: guest.api.post(f"/challenges/{sent['id']}/acceptance"))["game"]
    version, since = -1, time.monotonic()
    while True:
        table = _asked(lambda: host.api.get(f"/games/{game}"))
        if table["outcome"] is not None:
            return table["outcome"]
        if table["version"] != version:
            version, since = table["version"], time.monotonic()
        if time.monotonic() - since > PATIENCE:
            slow = [(host, guest)[seat].handle for seat in table["to_act"]]
            raise Refused(f"{', '.join(slow)} has not moved for {PATIENCE:.0f} seconds in the game {game}")
        _asked(partial(host.api.get, f"/games/{game}/events", after=version, wait=WAIT))


def _asked(ask: Callable[[], Any]) -> Any:
    """Return an answer, as late as the limits of the service have it."""
    while True:
        try:
            return ask()
        except ProblemAnswer as problem:
            if problem.body.get("type") != "/problems/rate-limited":
                raise Refused(f"The service refuses: {problem}") from problem
            time.sleep(float(problem.body.get("seconds", 1)))
        except GaveUp as reason:
            raise Refused(str(reason)) from reason
