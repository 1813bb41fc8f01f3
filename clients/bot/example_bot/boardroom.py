"""The service, as the bot asks it: nothing but the generated client."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import httpx

from example_bot.generated import AuthenticatedClient
from example_bot.generated.api.account import put_ready
from example_bot.generated.api.challenges import accept_challenge, delete_challenge, get_challenge
from example_bot.generated.api.play import get_game, list_legal_actions, post_action
from example_bot.generated.api.players import get_me
from example_bot.generated.api.rulesets import list_rulesets
from example_bot.generated.models import ActionAsNotation, Challenge, Choice, NewReady, Problem, Table
from example_bot.generated.types import Response

STREAM = "/api/v1/me/stream"
SILENCE = 45.0
"""Seconds of silence after which a stream is dead; a comment comes every 15."""
UNTIL_AGAIN = 5.0
"""Seconds until a service is asked again that does not answer."""


class Boardroom:
    """The service at an address, asked with the token of a bot."""

    def __init__(self, url: str, token: str) -> None:
        self._client = AuthenticatedClient(url, token, timeout=httpx.Timeout(SILENCE))
        self._last: str | None = None

    def name(self) -> str:
        """Return the name of the bot, and the handle by which it is challenged."""
        me = self._asked(get_me.sync_detailed)
        return f"{me.name} (@{me.handle})" if me.handle else f"{me.name} (nobody can challenge it without a handle)"

    def rulesets(self) -> dict[str, list[int]]:
        """Return the sizes of tables of each ruleset for several players."""
        items = self._asked(list_rulesets.sync_detailed).items
        return {each.name: seats for each in items if (seats := [size for size in each.seats if size > 1])}

    def make_ready(self, rulesets: list[str], seats: list[int]) -> None:
        """Put the bot on the list of those that are ready."""
        self._asked(put_ready.sync_detailed, body=NewReady(rulesets=rulesets, seats=seats))

    def challenge(self, challenge: UUID) -> Challenge | None:
        """Return a challenge, None if it is gone."""
        found = self._asked(get_challenge.sync_detailed, challenge)
        return found if isinstance(found, Challenge) else None

    def accept(self, challenge: UUID) -> None:
        """Accept a challenge; one that is over meanwhile is left alone."""
        self._asked(accept_challenge.sync_detailed, challenge)

    def decline(self, challenge: UUID) -> None:
        """Decline a challenge."""
        self._asked(delete_challenge.sync_detailed, challenge)

    def table(self, game: UUID) -> Table | None:
        """Return a game as the bot may see it, None if it is gone."""
        found = self._asked(get_game.sync_detailed, game)
        return found if isinstance(found, Table) else None

    def legal(self, game: UUID) -> tuple[int, list[Choice]]:
        """Return the decision that the bot faces, and its legal actions; none when it is not asked."""
        found = self._asked(list_legal_actions.sync_detailed, game)
        return (0, []) if isinstance(found, Problem) else (found.decision, list(found.items))

    def act(self, game: UUID, decision: int, choice: Choice) -> None:
        """Answer the decision. The key is the same in every attempt, so that an action is played once."""
        body, key = ActionAsNotation(decision, choice.notation), f"{game.hex}-{decision}-{choice.notation}"
        self._asked(post_action.sync_detailed, game, body=body, idempotency_key=_key(key))

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield the messages of the account's stream until it ends; the next one goes on after the last message."""
        headers = {} if self._last is None else {"Last-Event-ID": self._last}
        with self._client.get_httpx_client().stream("GET", STREAM, headers=headers) as answer:
            answer.raise_for_status()
            identity = self._last
            for line in answer.iter_lines():
                field, _, value = line.partition(": ")
                if field == "id":
                    identity = value
                elif field == "data":
                    yield json.loads(value)
                    self._last = identity

    def _asked(self, call: Callable[..., Response[Any]], *path: Any, **given: Any) -> Any:
        """Return the parsed answer; ask again when the service is away, or when it says that this is too often."""
        while True:
            try:
                answer = call(*path, client=self._client, **given)
            except httpx.TransportError:
                time.sleep(UNTIL_AGAIN)
                continue
            if answer.status_code not in (429, 503):
                return answer.parsed
            time.sleep(float(answer.headers.get("Retry-After", UNTIL_AGAIN)))


def _key(text: str) -> str:
    return "".join(each if each.isalnum() and each.isascii() else "-" for each in text)[:64]
