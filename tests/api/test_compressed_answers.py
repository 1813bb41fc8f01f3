"""Long answers that hold no secret are compressed for programs that take gzip, and others never."""

from __future__ import annotations

from gzip import decompress
from uuid import UUID

import pytest

from service.store.games import Games
from tests.api.scene import Scene
from tests.api.situations import SITUATIONS, ask
from tests.builders import act, first_legal, now_at, started
from tests.people import Person, alice, bob
from tests.rest import Caller

GZIP = {"Accept-Encoding": "gzip"}
COMPRESSED = ["legal-actions", "replay", "listing", "record"]


def played(games: Games, people: list[Person]) -> UUID:
    """A game in which some moves were made, and Alice is to move."""
    game = started(games, "new-corp-order", people, **{"first-player": 0}).game.id
    for number in range(60):
        position = now_at(games, game)
        seat = min(position.awaited)
        if number > 20 and seat == 0:
            break
        act(games, position, seat, first_legal(position, seat))
    return game


@pytest.mark.parametrize("part", COMPRESSED)
def test_what_is_long_is_compressed_and_spared(part: str, api: Caller, games: Games) -> None:
    # given the same twice, once in gzip
    people = [alice(games), bob(games)]
    me, path = api.by(people[0]), f"/games/{played(games, people)}/{part}"
    plain, small = me.get(path), me.get(path, Accept_Encoding="gzip")
    assert small.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in small.headers["Vary"]
    assert decompress(small.data) == plain.data
    # then it is smaller, and not sent again
    assert len(small.data) < len(plain.data)
    assert small.headers["ETag"] == f"W/{plain.headers['ETag']}"
    for tag in (plain.headers["ETag"], small.headers["ETag"]):
        assert me.get(path, Accept_Encoding="gzip", If_None_Match=tag).status_code == 304


def test_the_length_of_an_answer_is_hidden(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games)]
    path = f"/games/{played(games, people)}/replay"
    me = api.by(people[0])
    assert len({len(me.get(path, Accept_Encoding="gzip").data) for _ in range(20)}) > 1


@pytest.mark.parametrize("name", ["getMe", "createToken", "createWebhook", "getGame", "listTalk", "getNotes"])
def test_what_may_hold_a_secret_or_words_of_others_is_never_compressed(name: str, api: Caller, games: Games) -> None:
    scene = Scene(api, games, alice(games), bob(games, email=None))
    answer = ask(api.by(scene.alice), name, SITUATIONS[name](scene), Accept_Encoding="gzip")
    assert answer.status_code < 300
    assert "Content-Encoding" not in answer.headers


def test_the_document_is_compressed(api: Caller) -> None:
    answer = api.client.get("/openapi.yaml", headers=GZIP)
    assert decompress(answer.data).startswith(b"openapi:")


def test_the_account_is_spared_although_its_limits_have_moved(api: Caller, games: Games) -> None:
    me = api.by(alice(games))
    tag = me.get("/me").headers["ETag"]
    assert me.get("/me", If_None_Match=tag).status_code == 304
    me.patch("/me", {"name": "Ann"})
    assert me.get("/me", If_None_Match=tag).status_code == 200


def test_a_write_is_answered_with_its_tag_alone_where_that_is_preferred(api: Caller, games: Games) -> None:
    me = api.by(alice(games))
    answer = me.call("patch", "/me", {"name": "Ann"}, Prefer="return=minimal")
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["Preference-Applied"] == "return=minimal"
    assert answer.headers["ETag"] == me.get("/me").headers["ETag"]
