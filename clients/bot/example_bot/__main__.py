"""Follows the stream of the bot's account: accepts challenges, and answers decisions."""

from __future__ import annotations

import os
import sys
import time
from random import Random
from typing import Any
from uuid import UUID

import httpx

from example_bot.boardroom import UNTIL_AGAIN, Boardroom
from example_bot.player import choose


class Bot:
    """Plays the rulesets that it knows, with the sizes of their tables."""

    def __init__(self, boardroom: Boardroom, rulesets: dict[str, list[int]], dice: Random) -> None:
        self._boardroom = boardroom
        self._rulesets = rulesets
        self._dice = dice

    def react(self, message: dict[str, Any]) -> None:
        """React to a message of the stream; what is new to the bot, or comes twice, does no harm."""
        if message["type"] == "challenge.received":
            self._answer(UUID(message["challenge"]))
        elif message["type"] == "game.turn":
            self._play(UUID(message["game"]))

    def _answer(self, challenge: UUID) -> None:
        found = self._boardroom.challenge(challenge)
        if found is None or found.state != "open":
            return
        if found.ruleset in self._rulesets:
            self._boardroom.accept(challenge)
        else:
            self._boardroom.decline(challenge)

    def _play(self, game: UUID) -> None:
        """Answer decisions of the game for as long as it is the bot's turn."""
        while (table := self._boardroom.table(game)) is not None and table.seat in table.to_act:
            decision, choices = self._boardroom.legal(game)
            if not choices:
                return
            self._boardroom.act(game, decision, choose(table, choices, self._dice))


def main() -> int:
    """Play until the token is revoked, or Ctrl-C."""
    boardroom = Boardroom(os.environ["BOARDROOM_URL"], os.environ["BOARDROOM_TOKEN"])
    known, wanted = boardroom.rulesets(), os.environ.get("BOARDROOM_RULESETS", "")
    rulesets = {name: seats for name, seats in known.items() if not wanted or name in wanted.split(",")}
    bot = Bot(boardroom, rulesets, Random(os.environ.get("BOARDROOM_SEED")))  # noqa: S311 - nobody's secret
    print(f"{boardroom.name()} plays {', '.join(rulesets)}.", flush=True)
    while True:
        try:
            boardroom.make_ready(list(rulesets), sorted({size for seats in rulesets.values() for size in seats}))
            for message in boardroom.messages():
                bot.react(message)
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
