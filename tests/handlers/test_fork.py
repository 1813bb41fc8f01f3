"""A finished game is played on from a moment in it: the new game holds by itself, and says where it came from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from flask import Flask

from service.audit.inspect import inspect, whole_record
from service.commands.cli import main
from service.handlers import lobby
from service.handlers.lobby import Plan
from service.handlers.play import Move, play, resign
from service.record.origin import verify_with_origins
from service.record.reading import MONOTONE
from service.record.verify import verify
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.views.history import latest_recap
from tests.browsing import browser, form_on, send
from tests.builders import act, finished, now_at, started
from tests.people import Person, alice, bob, carol
from tests.record.forging import Lines, of_kind, rewritten
from tests.rest import Caller, refused


def over(games: Games) -> tuple[Position, list[Person]]:
    people = [alice(games), bob(games), carol(games)]
    return finished(games, started(games, "sealed-bids", people)), people


def forked(
    api: Caller, games: Games, position: Position, seq: int, people: list[Person], pace: str = "none"
) -> Position:
    """Fork a game, with these people at the new table."""
    body = {"seq": seq, "access": "public", "pace": {"name": pace}}
    made = api.by(people[0]).post(f"/games/{position.game.id}/fork", body)
    assert made.status_code == 201, made.text
    assert made.get_json()["forked_from"] == {"game": str(position.game.id), "seq": seq}
    game = UUID(made.get_json()["id"])
    for each in people[1:]:
        lobby.join(games, game, each.id, clock.now())
    return lobby.start(games, game, people[0].id, clock.now())


@pytest.mark.parametrize(
    ("language", "warning"),
    [("en", "Nothing was shuffled anew"), ("de", "Es wurde nichts neu gemischt"), ("fr", "été mélangé de nouveau")],
)
def test_strangers_are_told_before_they_sit_down_that_nothing_was_shuffled_anew(
    app: Flask, api: Caller, games: Games, language: str, warning: str
) -> None:
    position, _ = over(games)
    host, told = alice(games), {"Accept-Language": language}
    body = {"seq": position.version // 2, "access": "public"}
    fork = api.by(host).post(f"/games/{position.game.id}/fork", body).get_json()["id"]
    anew = lobby.create(games, host.id, Plan("sealed-bids", 3, {}, Terms(access="public")), clock.now()).game.id
    for game, forked in ((fork, True), (anew, False)):
        link = api.by(host).post(f"/games/{game}/invitations", {}).get_json()["url"]
        pages = [browser(app, games).get(path, headers=told) for path in (f"/games/{game}", urlsplit(link).path)]
        assert [page.status_code for page in pages] == [200, 200]
        assert [warning in page.text for page in pages] == [forked] * 2


def record_of(games: Games, position: Position) -> bytes:
    """Return the record of a game that is over, without a seal."""
    with games.engine.connect() as db:
        return whole_record(db, games, position.game.id).text()


def test_others_play_on_from_any_step_and_the_record_of_their_game_holds(api: Caller, games: Games) -> None:
    position, _ = over(games)
    before = {}
    with games.engine.connect() as db:
        timeline = games.timeline(db, position)
        for step in timeline.steps[:-1]:
            before[step.last] = timeline.after(step).state
    for seq in list(before)[::4]:
        fork = forked(api, games, position, seq, [carol(games), alice(games), bob(games)])
        then = before[seq]
        assert (fork.state.hands, fork.state.points, fork.state.lot) == (then.hands, then.points, then.lot)
        done = finished(games, fork)
        with games.engine.connect() as db:
            inspected = inspect(db, games, done.game.id)
            record = whole_record(db, games, done.game.id).text()
        assert inspected.rerun.origin is not None
        assert inspected.rerun.origin.game == str(position.game.id)
        assert inspected.rerun.origin.seq == seq
        header, origin = json.loads(record.splitlines()[0]), {"game": str(position.game.id), "seq": seq}
        assert (header["format"], header["origin"]) == (MONOTONE, origin | {"head": inspected.rerun.origin.head})
        report = verify(record, games.rulesets)
        assert report.holds, report.findings
        assert f"it goes on from event {seq} of game {position.game.id}" in report.findings[-1].said


def test_with_the_record_of_the_first_game_what_was_taken_over_is_checked_too(api: Caller, games: Games) -> None:
    def origin_found(data: bytes, *origins: bytes) -> tuple[bool | None, str]:
        last = verify_with_origins(data, games.rulesets, None, origins).findings[-1]
        setup = data.count(b"\n", 0, data.index(b'"kind":"step"')) + 1
        assert last.level == "origin" and last.line == (setup if last.holds is False else None)
        return last.holds, last.said

    first, people = over(games)
    other = over(games)[0]
    with games.engine.connect() as db:
        seq = games.timeline(db, first).steps[4].last
    second = finished(games, forked(api, games, first, seq, people))
    third = finished(games, forked(api, games, second, second.version - 4, people))
    before, after, last = (record_of(games, each) for each in (first, second, third))
    assert origin_found(after, record_of(games, other), before) == (
        True,
        f"the {seq - 1} events taken over are those of game {first.game.id} up to event {seq}",
    )
    assert origin_found(last, before, after)[0]
    assert "were not checked" in origin_found(after)[1]
    assert origin_found(last, before)[0] is None
    found = verify(rewritten(_as_before_it_was_noted, after), games.rulesets)
    assert found.holds, found.findings
    found = verify(rewritten(_from_elsewhere, after), games.rulesets)
    assert "it goes on from another game than its header says" in found.findings[-1].said
    for change in (_swap_two_hands, _another_head):
        forged = rewritten(change, after)
        assert verify(forged, games.rulesets).holds, "nothing in it is wrong by itself"
        assert origin_found(forged, before)[0] is False
    assert origin_found(after, before.replace(b'"door":"api"', b'"door":"web"', 1))[0] is False


def test_a_fork_may_have_a_clock_and_what_it_takes_over_is_proved_as_ever(api: Caller, games: Games) -> None:
    first, people = over(games)
    with games.engine.connect() as db:
        seq = games.timeline(db, first).steps[4].last
    second = finished(games, forked(api, games, first, seq, people, "daily"))
    before, after = record_of(games, first), record_of(games, second)
    header = json.loads(after.splitlines()[0])
    assert (header["format"], header["origin"]["seq"], header["pace"]["free"]) == (MONOTONE, seq, 86_400)
    report = verify_with_origins(after, games.rulesets, None, [before])
    assert report.holds and report.findings[-1].level == "origin" and report.findings[-1].holds


def _another_head(lines: Lines) -> None:
    started, forked, *_ = of_kind(lines, "step")["events"]
    for told in (lines[0]["origin"], started["data"]["origin"], forked["data"]):
        told["head"] = "00" * 32


def _from_elsewhere(lines: Lines) -> None:
    for told in (lines[0]["origin"], of_kind(lines, "step")["events"][0]["data"]["origin"]):
        told["seq"] += 1


def _as_before_it_was_noted(lines: Lines) -> None:
    lines[0].update(format=3)
    started = of_kind(lines, "step")["events"][0]["data"]
    for told, name in ((lines[0], each) for each in ("origin", "pace", "computers", "deal")):
        del told[name]
    del started["origin"], started["format"], of_kind(lines, "lobby")["event"]["data"]["format"]


def _swap_two_hands(lines: Lines) -> None:
    events = of_kind(lines, "step")["events"]
    assert events[2]["type"] == events[3]["type"] == "hand-dealt"
    events[2], events[3] = events[3], events[2]


def test_what_was_taken_back_is_not_taken_over_and_nobody_is_told_the_old_moves_again(
    api: Caller, games: Games, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    caller, game = api.by(people[0]), position.game.id
    legal = caller.get(f"/games/{game}/legal-actions").get_json()["items"]
    quiet = next(each["notation"] for each in legal if each["action"]["type"] == "infiltrate")
    caller.act(game, 1, quiet)
    assert caller.post(f"/games/{game}/take-back", {"decision": 1}).status_code == 201
    now = now_at(games, game)
    act_now(games, now, 0, "P D D")
    resign(games, game, people[1].id, "api", clock.now())
    over_now = now_at(games, game)
    fork = forked(api, games, over_now, over_now.version, people)
    assert (fork.state.hands, fork.state.deck) == (over_now.state.hands, over_now.state.deck)
    assert fork.resigned == ()
    with games.engine.connect() as db:
        told = latest_recap(db, fork, 1, "en").sentences
        assert inspect(db, games, fork.game.id).rerun.folded == fork.folded
    assert len(told) == 2
    assert told[1] == f"The game goes on from another game, after its event {over_now.version}."
    seat = min(fork.awaited)
    after = act(games, fork, seat, fork.ruleset.legal(fork.state, seat)[0]).position
    assert after.version > fork.version
    items = api.by(people[0]).get(f"/games/{fork.game.id}/replay").get_json()["items"]
    assert [each["actor"] for each in items] == [None, seat]
    resign(games, fork.game.id, people[0].id, "api", clock.now())
    files = [tmp_path / "fork.jsonl", tmp_path / "first.jsonl"]
    for file, each in zip(files, (fork, position), strict=True):
        file.write_bytes(record_of(games, each))
    for words, told in (([], "origin not checked"), (["--origin", str(files[1])], "origin ok")):
        assert main(["verify", str(files[0]), *words]) == 0
        assert told in " ".join(capsys.readouterr().out.split())
    again = forked(api, games, now_at(games, fork.game.id), fork.version, people)
    assert again.state.hands == fork.state.hands


def test_a_signed_in_player_plays_on_from_the_page(app: Flask, api: Caller, games: Games) -> None:
    person = alice(games)
    position = started(games, "new-corp-order", [person])
    resign(games, position.game.id, person.id, "web", clock.now())
    web, path = browser(app, games, person), f"/games/{position.game.id}/replay?at=3"
    answer = send(web, path, f"/games/{position.game.id}/fork")
    assert answer.status_code == 303
    fork = now_at(games, UUID(answer.location.rpartition("/")[2]))
    assert (fork.game.status, fork.state.deck) == ("running", position.state.deck)
    assert "The game goes on from another game" in web.get(answer.location).text
    then = f"/games/{position.game.id}/replay?at={position.version}&amp;eyes=0"
    begins = web.get(f"{answer.location}/replay").text
    assert f'href="{then}"' in begins, "the moves before can be stepped through where they were made"
    assert web.get(then.replace("&amp;", "&")).status_code == 200
    finished_then = (
        f"/games/{finished(games, started(games, 'sealed-bids', [person, bob(games), carol(games)])).game.id}"
    )
    assert "/fork" in web.get(f"{finished_then}/replay").text
    assert "/fork" not in web.get(f"{finished_then}/replay?at=999").text
    assert "/fork" not in browser(app, games).get(f"{finished_then}/replay").text
    form = form_on(web.get(path), f"/games/{position.game.id}/fork")
    for seq in ("99999", "x"):
        again = web.post(form.action, data={**form.hidden, "seq": seq})
        assert (again.status_code, again.location) == (303, f"/games/{position.game.id}/replay")


def test_there_is_no_fork_of_a_game_that_runs_nor_from_its_end_nor_from_nowhere(api: Caller, games: Games) -> None:
    position, people = over(games)
    caller = api.by(people[0])
    running = started(games, "sealed-bids", people)
    refused(caller.post(f"/games/{running.game.id}/fork", {"seq": 1}), 409, "game-not-over")
    path = f"/games/{position.game.id}/fork"
    refused(caller.post(path, {"seq": position.version}), 409, "game-not-running")
    assert "1 to" in refused(caller.post(path, {"seq": position.version + 1}), 404, "not-found")["detail"]
    refused(caller.post(path, {"seq": 0}), 422, "validation")
    refused(caller.post(path, {"seq": 1, "seats": 4}), 422, "validation")
    first, again = (caller.post(path, {"seq": 1}, Idempotency_Key="forked-once").get_json() for _ in range(2))
    assert first["id"] == again["id"]
    assert first["status"] == "open"


def act_now(games: Games, position: Position, seat: int, notation: str) -> Any:
    """Play an action at the game's decision, whose number may be ahead of the ruleset's."""
    return play(games, Move(position.game.id, seat, position.decision, position.ruleset.parse(notation), "api"))
