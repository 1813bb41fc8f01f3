"""Follows the stream of the bot's account: accepts challenges, and answers decisions."""

from __future__ import annotations

import os
import sys
import time
from random import Random
from typing import Any
from uuid import UUID

import httpx

from example_bot.house import UNTIL_AGAIN, House
from example_bot.player import choose


class Bot:
    """Plays the rulesets that it knows, with the sizes of their tables."""

    def __init__(self, house: House, rulesets: dict[str, list[int]], dice: Random) -> None:
        self._house = house
        self._rulesets = rulesets
        self._dice = dice

    def hear(self, news: dict[str, Any]) -> None:
        """React to a message of the stream; what is new to the bot, or comes twice, does no harm."""
        if news["type"] == "challenge.received":
            self._answer(UUID(news["challenge"]))
        elif news["type"] == "game.turn":
            self._play(UUID(news["game"]))

    def _answer(self, challenge: UUID) -> None:
        found = self._house.challenge(challenge)
        if found is None or found.state != "open":
            return
        if found.ruleset in self._rulesets:
            self._house.accept(challenge)
        else:
            self._house.decline(challenge)

    def _play(self, game: UUID) -> None:
        """Answer decisions of the game for as long as it is the bot's turn."""
        while (table := self._house.table(game)) is not None and table.seat in table.to_act:
            decision, choices = self._house.legal(game)
            if not choices:
                return
            self._house.act(game, decision, choose(table, choices, self._dice))


def main() -> int:
    """Play until the token is revoked, or Ctrl-C."""
    house = House(os.environ["BOARDROOM_URL"], os.environ["BOARDROOM_TOKEN"])
    known, wanted = house.rulesets(), os.environ.get("BOARDROOM_RULESETS", "")
    rulesets = {name: seats for name, seats in known.items() if not wanted or name in wanted.split(",")}
    bot = Bot(house, rulesets, Random(os.environ.get("BOARDROOM_SEED")))  # noqa: S311 - nobody's secret
    print(f"{house.name()} plays {', '.join(rulesets)}.", flush=True)
    while True:
        try:
            house.make_ready(list(rulesets), sorted({size for seats in rulesets.values() for size in seats}))
            for news in house.news():
                bot.hear(news)
        except httpx.HTTPStatusError as refused:
            if refused.response.status_code in (401, 403):
                print(f"The token does not work: {refused.response.status_code}.", file=sys.stderr)
                return 1
            time.sleep(UNTIL_AGAIN)
        except httpx.TransportError:
            time.sleep(UNTIL_AGAIN)
        except KeyboardInterrupt:
            return 0


if __name__ == "__main__":
    sys.exit(main())
