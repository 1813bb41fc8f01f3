"""Plays one action through the client that openapi-generator has made from the document; no HTTP of its own.

Reads from standard input a JSON object: `url`, `token`, `game`. Writes to standard output, as a JSON object, what came
of it.
"""

from __future__ import annotations

import json
import sys
from uuid import UUID

from generated.boardroom_client import ActionAsNotation, ApiClient, Configuration, FollowApi, PlayApi, PostedAction


def main() -> None:
    """Play, and report."""
    told = json.load(sys.stdin)
    game = UUID(told["game"])
    with ApiClient(Configuration(host=told["url"], access_token=told["token"])) as client:
        play, follow = PlayApi(client), FollowApi(client)
        legal = play.list_legal_actions(game)
        said = ActionAsNotation(decision=legal.decision, notation=legal.items[0].notation)
        answer = play.post_action_with_http_info(game, PostedAction(said), idempotency_key="the-first-one")
        again = play.post_action_with_http_info(game, PostedAction(said), idempotency_key="the-first-one")
        events = follow.list_events(game, after=0).items
    report = {
        "statuses": [answer.status_code, again.status_code],
        "repeated": answer.data == again.data,
        "played": answer.data.version,
        "read": events[-1].seq,
    }
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main()
