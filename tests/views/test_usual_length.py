"""Usual length of a game: one figure, measured from games that have ended, or else estimated."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from freezegun import freeze_time
from sqlalchemy import text

from service.handlers.results import keep_played
from service.rules.pace import PACES, Pace
from service.shared import clock
from service.store import game_lengths
from service.store.game_lengths import LEAST_GAMES, WITHIN, TableKind
from service.store.games import Games
from service.texts.when import length_text
from service.views.lobby import UsualLengths, short_option, usual_lengths
from tests.builders import finished, paced
from tests.people import Person, register
from tests.rules.playouts import RULESETS

DAY, HOUR, MINUTE = 86_400, 3_600, 60
DAILY = PACES["daily"]
NOTHING = UsualLengths({})
CORP = RULESETS["new-corp-order"].meta
HARBOURS = RULESETS["three-harbours"].meta


@pytest.fixture(autouse=True)
def nothing_measured(games: Games) -> None:
    """No games of other tests."""
    with games.engine.begin() as db:
        db.execute(text("delete from played_game"))
        db.execute(text("delete from game_length"))


def people(games: Games, seats: int) -> list[Person]:
    return [register(games, f"Person {number}", None, "en") for number in range(seats)]


def end_one(games: Games, who: list[Person], length: timedelta, pace: Pace = DAILY) -> None:
    """Play a game whose last action came so long after its beginning."""
    at = clock.now() - timedelta(days=1)
    with freeze_time(at - length):
        begun = paced(games, pace, "three-harbours", who)
        over = finished(games, begun)
    with games.engine.begin() as db:
        keep_played(db, games, over.game.id)
        ended = {"game": over.game.id, "began": at - length, "ended": at}
        db.execute(text("update played_game set began_at = :began, ended_at = :ended where game_id = :game"), ended)


def measured(games: Games, now: datetime | None = None) -> UsualLengths:
    with games.engine.begin() as db:
        game_lengths.measure(db, now or clock.now())
        return usual_lengths(db)


def test_as_long_as_few_games_have_ended_the_length_is_estimated(games: Games) -> None:
    estimate = NOTHING.of(HARBOURS, 2, {}, DAILY)
    for ended in range(LEAST_GAMES):
        assert measured(games).of(HARBOURS, 2, {}, DAILY) == estimate, f"after {ended} games"
        end_one(games, people(games, 2), timedelta(days=9))
    assert measured(games).of(HARBOURS, 2, {}, DAILY) == 9 * DAY


def test_the_middle_of_very_different_games_is_told(games: Games) -> None:
    for days in (1, 2, 11, 40, 300):
        end_one(games, people(games, 2), timedelta(days=days))
    assert measured(games).of(HARBOURS, 2, {}, DAILY) == 11 * DAY


def test_each_size_of_table_and_each_pace_is_measured_by_itself(games: Games) -> None:
    for _ in range(LEAST_GAMES):
        end_one(games, people(games, 2), timedelta(days=9))
        end_one(games, people(games, 4), timedelta(days=20))
        end_one(games, people(games, 2), timedelta(minutes=20), PACES["live"])
    lengths = measured(games)
    assert lengths.of(HARBOURS, 2, {}, DAILY) == 9 * DAY
    assert lengths.of(HARBOURS, 4, {}, DAILY) == 20 * DAY
    assert lengths.of(HARBOURS, 2, {}, PACES["live"]) == 20 * MINUTE
    assert lengths.of(HARBOURS, 3, {}, DAILY) == NOTHING.of(HARBOURS, 3, {}, DAILY)
    assert lengths.of(HARBOURS, 2, {}, PACES["weekly"]) == NOTHING.of(HARBOURS, 2, {}, PACES["weekly"])


def test_games_of_the_same_people_make_no_figure(games: Games) -> None:
    friends = people(games, 2)
    for _ in range(2 * LEAST_GAMES):
        end_one(games, friends, timedelta(minutes=1))
    assert measured(games).measured == {}


def test_games_with_bots_make_no_figure(games: Games) -> None:
    for _ in range(LEAST_GAMES):
        who = people(games, 2)
        end_one(games, who, timedelta(minutes=1))
        with games.engine.begin() as db:
            bot = {"bot": who[1].id, "owner": who[0].id}
            db.execute(text("update player set owner = :owner where id = :bot"), bot)
    assert measured(games).measured == {}


def test_games_of_more_than_a_year_ago_no_longer_count(games: Games) -> None:
    for _ in range(LEAST_GAMES):
        end_one(games, people(games, 2), timedelta(days=9))
    assert measured(games).of(HARBOURS, 2, {}, DAILY) == 9 * DAY
    assert measured(games, clock.now() + WITHIN).measured == {}


def test_a_game_on_weekdays_takes_longer_by_the_days_between() -> None:
    lengths = UsualLengths({TableKind("three-harbours", 2, (), "daily"): 10 * DAY})
    assert lengths.of(HARBOURS, 2, {}, replace(DAILY, weekdays="UTC")) == 14 * DAY


def test_slower_paces_take_longer_and_nothing_is_told_where_nothing_is_known() -> None:
    estimates = [NOTHING.of(CORP, 2, {}, PACES[name]) or 0 for name in ("live", "brisk", "daily", "weekly")]
    assert estimates == sorted(estimates)
    assert 10 * MINUTE < estimates[0] < HOUR
    assert 20 * DAY < estimates[2] < 35 * DAY
    assert NOTHING.of(CORP, 2, {}, None) is None, "without a clock nobody has to hurry"
    assert NOTHING.of(CORP, 1, {}, None) is None
    assert UsualLengths({TableKind("new-corp-order", 2, (), "none"): 5 * DAY}).of(CORP, 2, {}, None) == 5 * DAY


@pytest.mark.parametrize("name", ["new-corp-order", "bastards-inc"])
def test_a_short_game_is_shorter_at_each_table_that_has_one(name: str) -> None:
    meta = RULESETS[name].meta
    for seats in meta.seats:
        option = short_option(meta, seats)
        if option is not None:
            long, short = (NOTHING.of(meta, seats, {option.name: value}, DAILY) for value in (False, True))
            assert long and short and short < 0.8 * long


@pytest.mark.parametrize(
    ("seconds", "en", "de", "fr"),
    [
        (0, "5 minutes", "5 Minuten", "5 minutes"),
        (22 * MINUTE, "20 minutes", "20 Minuten", "20 minutes"),
        (5 * HOUR, "5 hours", "5 Stunden", "5 heures"),
        (9 * DAY, "9 days", "9 Tage", "9 jours"),
        (27 * DAY, "4 weeks", "4 Wochen", "4 semaines"),
        (76 * DAY, "11 weeks", "11 Wochen", "11 semaines"),
        (186 * DAY, "6 months", "6 Monate", "6 mois"),
        (900 * DAY, "2 years", "2 Jahre", "2 ans"),
    ],
)
def test_a_length_is_told_as_roughly_as_it_is_known(seconds: int, en: str, de: str, fr: str) -> None:
    assert [length_text(language, seconds).replace("\N{NO-BREAK SPACE}", " ") for language in ("en", "de", "fr")] == [
        en,
        de,
        fr,
    ]
