"""A database of each release is upgraded: every game holds, the finished one is told, and the others are played on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import text

from service.app import create_app
from service.commands.audit import audit
from service.runtime import Runtime
from service.store.engine import build_engine
from service.store.games import Games
from service.store.migrations import upgrade
from tests.rest import Caller
from tests.upgrade.releases import RELEASES, Release
from workers.relay import Relay

MOVES = 12
CHAIN = "0012"
"""From this revision on games have a chain."""
_GAMES = text("select id from game order by id")


@dataclass(frozen=True, slots=True)
class Upgraded:
    """The service on the upgraded database of a release."""

    release: Release
    runtime: Runtime
    anybody: Caller

    def by(self, token: str) -> Caller:
        """Return the API, called under a token that the release has issued."""
        return Caller(self.anybody.client, token)

    def audit(self) -> tuple[int, int]:
        """Check all games; return how many hold, and how many have no chain."""
        with self.runtime.engine.connect() as db:
            games = list(db.execute(_GAMES).scalars())
        found = audit(self.runtime.games, games, {})
        assert (found.altered, found.unchecked) == ([], 0)
        return found.games, found.unchained

    def relay(self) -> None:
        """Carry out what is due, ODS's moves among it."""
        relay = Relay(replace(self.runtime, redis=None, mailer=None))
        while relay.drain():
            pass

    def play_on(self, game: str, tokens: list[str]) -> int:
        """Play legal actions at random until MOVES are accepted; return by how many the log has grown."""
        dice, left = Random(1), MOVES
        before = self.by(tokens[0]).get(f"/games/{game}").json["version"]
        while left:
            acting = [(each, self.by(each).get(f"/games/{game}/legal-actions").json) for each in tokens]
            acting = [(each, legal) for each, legal in acting if legal["items"]]
            if not acting:
                assert self.by(tokens[0]).get(f"/games/{game}").json["status"] == "running"
                self.relay()
                continue
            token, legal = acting[0]
            answer = self.by(token).act(UUID(game), legal["decision"], dice.choice(legal["items"])["action"])
            assert answer.status_code == 201, answer.text
            left -= 1
        return int(self.by(tokens[0]).get(f"/games/{game}").json["version"]) - int(before)


@pytest.fixture(params=RELEASES, ids=lambda release: f"{release.revision}-{release.commit}")
def upgraded(
    request: pytest.FixtureRequest, runtime: Runtime, empty_database: Callable[[], tuple[str, str]]
) -> Iterator[Upgraded]:
    """The database of a release, brought to the newest schema, with this version on it."""
    owner, application = empty_database()
    with psycopg.connect(owner.replace("+psycopg", "")) as db:
        db.execute(request.param.dump.encode())
    upgrade(owner)
    engine = build_engine(application)
    there = replace(runtime, engine=engine, games=Games(engine, runtime.games.rulesets))
    yield Upgraded(request.param, there, Caller(create_app(there).test_client()))
    engine.dispose()


def test_every_game_of_a_release_holds_and_is_played_on_by_the_tokens_it_had(upgraded: Upgraded) -> None:
    release = upgraded.release
    alice, bob = release.alice["token"], release.bob["token"]
    # given a finished game, a running one and a solo one, which the release has played
    chained = release.revision >= CHAIN
    assert upgraded.audit() == ((3, 0) if chained else (0, 3))
    finished = upgraded.by(alice).get(f"/games/{release.finished}").json
    assert finished["status"] == "finished" and finished["outcome"]["winners"] is not None
    replay = upgraded.by(alice).get(f"/games/{release.finished}/replay").json
    assert replay["items"]
    # when both go on where they were
    assert upgraded.play_on(release.running, [alice, bob]) >= MOVES
    assert upgraded.play_on(release.solo, [alice]) >= MOVES
    # then they hold with the moves of both versions in one log
    assert upgraded.audit() == ((3, 0) if chained else (0, 3))
