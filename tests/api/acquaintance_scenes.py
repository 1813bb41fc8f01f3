"""The situations of operations on challenges, friends, blocks and ignored players: Alice gets what she asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final
from uuid import uuid4

from sqlalchemy import text

from service.handlers.people import ask_friend, block_player, ignore_player
from service.shared import clock
from tests.api.scene import Asked, Scene
from tests.challenged import called, challenged
from tests.people import register

_OPEN = text("select id from challenge where sender = :bob and recipient = :alice and state = 'open'")


def _challenge(scene: Scene) -> Asked:
    handle = f"bob-{uuid4().hex[:12]}"
    called(scene.games, scene.bob, handle)
    return Asked(body={"to": handle, "ruleset": "new-corp-order", "seats": 2})


def _challenged(scene: Scene) -> Asked:
    """Bob's challenge to Alice, of which one may be open at a time."""
    with scene.games.engine.connect() as db:
        known = db.execute(_OPEN, {"bob": scene.bob.id, "alice": scene.alice.id}).scalar()
    return Asked({"challenge_id": str(known or challenged(scene.games, scene.bob, scene.alice).id)})


def _acceptable(scene: Scene) -> Asked:
    """A challenge of Eve's to Alice, which no other operation answers."""
    eve = register(scene.games, "Eve", None, "en")
    return Asked({"challenge_id": str(challenged(scene.games, eve, scene.alice).id)})


def _eve(scene: Scene) -> str:
    """The handle of a person whom nobody knows yet."""
    handle = f"eve-{uuid4().hex[:12]}"
    called(scene.games, register(scene.games, "Eve", None, "en"), handle)
    return handle


def _another(scene: Scene) -> Asked:
    return Asked(body={"handle": _eve(scene)})


def _asking_friend(scene: Scene) -> Asked:
    """A request of Eve's to Alice."""
    called(scene.games, scene.alice, handle := f"alice-{uuid4().hex[:12]}")
    eve = register(scene.games, "Eve", None, "en")
    return Asked({"friend_id": str(ask_friend(scene.games, eve.id, handle, clock.now()).id)})


SITUATIONS: Final[Mapping[str, Callable[[Scene], Asked]]] = {
    "createChallenge": _challenge,
    "listChallenges": lambda _: Asked(),
    "getChallenge": _challenged,
    "acceptChallenge": _acceptable,
    "deleteChallenge": _challenged,
    "createFriend": _another,
    "listFriends": lambda _: Asked(),
    "acceptFriend": _asking_friend,
    "deleteFriend": _asking_friend,
    "createBlock": _another,
    "listBlocks": lambda _: Asked(),
    "deleteBlock": lambda scene: Asked(
        {"block_id": str(block_player(scene.games, scene.alice.id, _eve(scene), clock.now()))}
    ),
    "createIgnored": _another,
    "listIgnored": lambda _: Asked(),
    "deleteIgnored": lambda scene: Asked(
        {"ignored_id": str(ignore_player(scene.games, scene.alice.id, _eve(scene), clock.now()))}
    ),
}
