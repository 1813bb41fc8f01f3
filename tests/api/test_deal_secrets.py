"""While the day of a deal runs nobody can practise it, see its cards before their own try ends, or others' results."""

from __future__ import annotations

from flask import Flask
from sqlalchemy import text

from service.handlers import people
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.api.test_seed_secrets import ANY, pages, secrets_of, shown
from tests.browsing import browser
from tests.builders import act, first_legal
from tests.dealing import AFTER, NOON, at, commit, counted, dealing, played, today, tried
from tests.people import alice, bob
from tests.rest import Caller, refused
from tests.superuser import Tamper

__all__ = ["dealing"]

PEOPLE = 1000
_CROWD = text("""
with new as (
  insert into player (id, name, language, created_at, handle, handle_skeleton)
  select gen_random_uuid(), 'crowdling ' || n, 'en', now(), 'crowd-' || substr(md5(random()::text), 1, 12),
         gen_random_uuid() from generate_series(1, :people) n returning id
), games as (
  insert into game (id, ruleset, status, seats, options, host, commitment, created_at, deal)
  select gen_random_uuid(), d.ruleset, 'open', 1, d.options, new.id, d.commitment, now(), d.day
    from new, deal d where d.day = :day returning id, host, deal
)
insert into deal_try (day, player_id, game_id, bot, named, begun_at, ended_at, margin, won, points)
select deal, host, id, false, true, now(), now(), (random() * 9)::integer - 4, true, 5 from games
""")
_TALLY = text("""
insert into deal_tally (day, bot, margin, won, named, others)
select day, false, margin, won, count(*), 0 from deal_try where day = :day group by day, margin, won
""")
_CLEAR = "delete from game where host in (select id from player where name like 'crowdling %')"


def test_d_10_nothing_is_taken_back_hinted_analysed_or_played_on_from(
    dealing: Runtime, games: Games, api: Caller
) -> None:
    me = alice(games)
    caller = api.by(me)
    begun = tried(games, me)
    game = f"/games/{begun.game.id}"
    with at(NOON):
        refused(caller.post(f"{game}/hints"), 409, "hints-not-allowed")
        moved = act(games, begun, 0, first_legal(begun, 0)).position
        refused(caller.post(f"{game}/take-back", {"decision": begun.decision}), 409, "one-try")
    over = played(games, moved)
    counted(dealing, games, over.game.id)
    with at(NOON):
        refused(caller.post(f"{game}/fork", {"seq": over.version // 2}), 409, "one-try")
        refused(caller.post(f"{game}/analysis"), 409, "one-try")
    with at(AFTER):
        assert caller.post(f"{game}/fork", {"seq": over.version // 2}).status_code == 201
        assert caller.post(f"{game}/analysis").status_code == 202


def test_d_11_the_seed_is_nowhere_until_the_day_is_over(
    dealing: Runtime, games: Games, api: Caller, app: Flask
) -> None:
    me, other = alice(games), bob(games)
    over = played(games, tried(games, me))
    counted(dealing, games, over.game.id)
    waiting = tried(games, other)
    seed = secrets_of(dealing, over.game.id)
    known = {**ANY, "game_id": str(over.game.id), "webhook_id": str(over.game.id)}
    with at(NOON):
        found = shown(api.by(me), known) + pages(app, games, me, over.game.id)
        found += shown(api.by(other), {**known, "game_id": str(waiting.game.id)})
        assert not [each for each in seed if each in found]
        assert api.by(me).get(f"/games/{over.game.id}/record").data.startswith(b'{"commitment"')
        assert api.by(me).get("/me/records").data == b""
    with at(AFTER):
        assert api.get(f"/deals/{over.game.deal}/proof").json["seed"].encode() == seed[0]
        assert seed[0] in api.by(me).get(f"/games/{over.game.id}/record").data
        assert seed[0] in api.by(me).get("/me/records").data


def test_d_12_a_try_is_nobody_elses_to_look_at(dealing: Runtime, games: Games, api: Caller) -> None:
    me, stranger = alice(games), api.by(bob(games))
    people.take_handle(games, me.id, "alice-private", clock.now())
    over = played(games, tried(games, me))
    for what in ("", "/events", "/replay", "/record", "/proof", "/turns"):
        for moment in (NOON, AFTER):
            with at(moment):
                assert stranger.get(f"/games/{over.game.id}{what}").status_code == 404
    assert stranger.get("/players/alice-private").json["played"] == []
    assert str(over.game.id) not in stranger.get("/games").text
    counted(dealing, games, over.game.id)


def test_of_a_thousand_players_nobody_sees_a_result_before_the_own_try_is_over(
    dealing: Runtime, games: Games, api: Caller, app: Flask, as_superuser: Tamper
) -> None:
    commit(dealing, today())
    me = alice(games)
    with dealing.engine.begin() as db:
        db.execute(_CROWD, {"people": PEOPLE, "day": today().date()})
        db.execute(_TALLY, {"day": today().date()})
    caller, web = api.by(me), browser(app, games, me)
    begun = tried(games, me, clock.now())
    ways = ("/deals", "/deals/today", "/deals/today/results", "/deals/today/proof", "/deal-standings", "/me/deals")
    seen = "".join(caller.get(way).text for way in (*ways, "/deal-standings?period=month", "/games", "/me/export"))
    seen += "".join(web.get(way).text for way in ("/", "/deal", f"/deal/{today().date()}", f"/games/{begun.game.id}"))
    assert "crowd" not in seen
    assert caller.get("/deals/today").json["played"] == PEOPLE
    counted(dealing, games, played(games, begun, moment=clock.now()).game.id)
    rows, after = 0, ""
    while after is not None:
        page = caller.get(f"/deals/today/results?limit=100{after and '&after='}{after}").json
        rows, after = rows + len(page["items"]), page["next"]
    assert rows == PEOPLE
    assert "crowd" in web.get("/").text
    as_superuser("delete from deal_try where player_id in (select id from player where name like 'crowdling %')")
    as_superuser(_CLEAR)
