"""Archived games: no answer and no page tells whether a log is in the database or in the archive."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from uuid import UUID, uuid4

import pytest

from service.app import create_app
from service.handlers import lobby, talk
from service.handlers.lobby import Fork, fork
from service.handlers.play import resign
from service.rules.pace import PACES
from service.runtime import Runtime
from service.shared import clock
from service.store.game_row import Terms
from tests.api.everybody import BODIES, OF_A_GAME, STREAM, routes
from tests.archive.buckets import KEYS
from tests.archiving import archive, archiving, file_of, forgetful, hot, record_of, seal
from tests.browsing import browser
from tests.builders import act, ending_on_resignation, finished, first_legal, now_at, paced, started
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

__all__ = ["archiving"]
_DRAWN = re.compile(rb'"request_id": "[0-9a-f]{32}"|(?:name="form_key" value|data-key)="[^"]*"')
"""Parts drawn anew for each answer or page."""


@dataclass(frozen=True, slots=True)
class Over:
    """A finished game, and the people who look at it."""

    game: UUID
    people: Sequence[Person]


def auction(runtime: Runtime) -> Over:
    """A short game of three in which something was said, also after the end."""
    games = runtime.games
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    talk.say(games, position.game.id, people[0].id, "Good luck!", "api", clock.now())
    talk.note(games, position.game.id, people[1].id, "Alice bluffs.", clock.now())
    game = finished(games, now_at(games, position.game.id)).game.id
    talk.say(games, game, people[1].id, "Thank you.", "api", clock.now())
    return Over(game, people)


def takeover(runtime: Runtime) -> Over:
    """A whole game of the real rules, at which a stranger may look on."""
    games = runtime.games
    people = [alice(games), bob(games), carol(games)]
    return Over(finished(games, started(games, "new-corp-order", people[:2])).game.id, people)


def timed(runtime: Runtime) -> Over:
    """A game with a clock that a resignation has ended."""
    games = runtime.games
    people = [alice(games), bob(games), carol(games)]
    position = ending_on_resignation(games, paced(games, PACES["daily"], "sealed-bids", people))
    position = act(games, position, min(position.awaited), first_legal(position, min(position.awaited))).position
    resign(games, position.game.id, people[2].id, "api", clock.now())
    return Over(position.game.id, people)


def forked(runtime: Runtime) -> Over:
    """A game that goes on from another one, which is archived too."""
    games, origin = runtime.games, auction(runtime)
    seal(runtime, origin.game)
    host, *others = origin.people
    game = fork(
        games, host.id, Fork(origin.game, now_at(games, origin.game).version - 3, Terms(access="public")), clock.now()
    ).game.id
    for person in others:
        lobby.join(games, game, person.id, clock.now())
    return Over(finished(games, lobby.start(games, game, host.id, clock.now())).game.id, origin.people)


SITUATIONS: Mapping[str, Callable[[Runtime], Over]] = {
    each.__name__: each for each in (auction, takeover, timed, forked)
}


def _addresses(versions: Sequence[int]) -> Iterator[str]:
    """Return all that the API shows of a game, at some of its events where it is asked for one."""
    for _, _, path in routes(shown=True):
        if path.startswith(OF_A_GAME) or path in ("/games", "/me/records"):
            for seq in versions if "{seq}" in path else versions[:1]:
                yield path.format_map({"game_id": "GAME", "seq": seq, "name": "points", **NOTHING})


def answers(runtime: Runtime, seen: Over) -> dict[str, bytes]:
    """Return all that people and nobody are shown of a game, by a process that has never seen it."""
    later = forgetful(runtime)
    app, found = create_app(later), dict[str, bytes]()
    versions = (1, 2, now_at(later.games, seen.game).version)
    for person in seen.people:
        api, web = Caller(app.test_client(), person.token), browser(app, later.games, person)
        for path in _addresses(versions):
            answer = api.get(path.replace("GAME", str(seen.game)))
            body = b"".join(islice(answer.iter_encoded(), 3)) if answer.mimetype == STREAM else answer.data
            answer.close()
            found[f"{person.name} {path}"] = b"%d " % answer.status_code + _DRAWN.sub(b"", body)
        for rule in app.url_map.iter_rules():
            if rule.endpoint.startswith("web.") and "GET" in (rule.methods or ()) and rule.arguments == {"game_id"}:
                for query in ("", "?at=2"):
                    path = rule.build({"game_id": seen.game})[1] + query
                    answer = web.get(path, follow_redirects=True)
                    found[f"{person.name} at {path}"] = b"%d " % answer.status_code + _DRAWN.sub(b"", answer.data)
    return found


_THINGS = (
    "challenge",
    "absence",
    "bot",
    "channel",
    "delivery",
    "invitation",
    "request",
    "token",
    "tournament",
    "webhook",
)
NOTHING = {
    **dict.fromkeys(("ticket", "token", "handle"), "none"),
    **dict.fromkeys(("number", "first", "seat"), "1"),
    "ruleset": "new-corp-order",
    "seats": "2",
    "day": "today",
    **{f"{each}_id": str(uuid4()) for each in _THINGS},
}
"""Values of the path parameters beside the game; the ids name nothing."""


@pytest.mark.parametrize(
    "situation", ["auction", *(pytest.param(each, marks=pytest.mark.slow) for each in ("takeover", "timed", "forked"))]
)
def test_every_answer_and_page_is_the_same(archiving: Runtime, situation: str) -> None:
    # given a finished game, and all that people are shown of it
    seen = SITUATIONS[situation](archiving)
    seal(archiving, seen.game)
    record, before = record_of(archiving, seen.game), answers(archiving, seen)
    # when its log has left the database
    archive(archiving)
    assert hot(archiving, seen.game) == (0, True)
    after = answers(archiving, seen)
    # then nothing has changed for anybody
    assert {each for each in before if after[each] != before[each]} == set()
    assert record_of(forgetful(archiving), seen.game) == record
    assert len([each for each in before if before[each].startswith(b"200")]) > 60


def test_nothing_that_is_asked_changes_the_log_of_an_archived_game(archiving: Runtime) -> None:
    seen = auction(archiving)
    seal(archiving, seen.game)
    record = record_of(archiving, seen.game)
    archive(archiving)
    later = forgetful(archiving)
    app = create_app(later)
    for person in seen.people:
        api = Caller(app.test_client(), person.token)
        for method, name, path in routes(shown=False):
            filled = path.format_map({"game_id": seen.game, **NOTHING})
            body = BODIES.get(name) or {"decision": 1, "notation": "1"}
            assert api.call(method, filled, body).status_code < 500, (method, filled)
    assert hot(archiving, seen.game) == (0, True)
    assert record_of(forgetful(archiving), seen.game) == record


def test_a_missing_record_is_a_problem_with_a_remedy_everywhere(archiving: Runtime) -> None:
    seen = auction(archiving)
    seal(archiving, seen.game)
    archive(archiving)
    path = file_of(archiving, seen.game)
    kept = path.read_bytes()
    path.unlink()
    later = forgetful(archiving)
    app = create_app(later)
    api = Caller(app.test_client(), seen.people[0].token)
    answer = api.get(f"/games/{seen.game}")
    assert "operator" in refused(answer, 503, "unavailable")["detail"]
    assert int(answer.headers["Retry-After"]) > 0
    # then no answer is a fault, and what does not need the log is still there
    for method, _, each in [*routes(shown=True), *routes(shown=False)]:
        answer = api.call(method, each.format_map({"game_id": seen.game, "seq": 1, "name": "points", **NOTHING}))
        assert answer.status_code != 500, each
        answer.close()
    web = browser(app, later.games, seen.people[0])
    assert web.get(f"/games/{seen.game}").status_code == 503
    assert api.get("/games").status_code == web.get("/games").status_code == 200
    path.write_bytes(kept)
    assert api.get(f"/games/{seen.game}").status_code == 200


def test_an_archive_that_does_not_answer_holds_up_no_other_game(
    archiving: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = auction(archiving)
    seal(archiving, seen.game)
    archive(archiving)
    # given a bucket whose server is away
    for name, value in {**KEYS, "AWS_ENDPOINT_URL": "http://127.0.0.1:1"}.items():
        monkeypatch.setenv(name, value)
    away = forgetful(replace(archiving, settings=replace(archiving.settings, archive="s3://boardroom-records")))
    position = started(away.games, "sealed-bids", seen.people)
    api = Caller(create_app(away).test_client(), seen.people[0].token)
    for _ in range(2):
        answer = api.get(f"/games/{seen.game}/replay")
        refused(answer, 503, "unavailable")
        assert int(answer.headers["Retry-After"]) > 0
    # then games that run are played, and lists are shown
    assert api.get(f"/games/{position.game.id}").status_code == 200
    assert act(away.games, position, min(position.awaited), first_legal(position, min(position.awaited)))
    assert api.get("/games").status_code == 200
