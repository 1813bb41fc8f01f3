"""Names are refused that people cannot read as they are meant, and in which language they are refused."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.access import NewApp
from schemas.competition import NewTournament
from schemas.lobby import NewGame
from schemas.names import NAME_FAULTS, fault_in
from schemas.people import NewPlayer
from service.store.games import Games
from service.texts.catalog import languages, text
from service.texts.names import GONE, UNNAMED, display_name
from tests.people import alice
from tests.rest import Caller, refused

UNSEEN = {
    "right-to-left override": "Alice\u202e ecilA",
    "isolate": "\u2067Alice",
    "left-to-right mark": "Alice\u200e",
    "Arabic letter mark": "Al\u061cice",
    "zero width alone": "\u200b\u200b",
    "zero width within": "Ali\u200bce",
    "joiner between Latin letters": "Ali\u200dce",
    "word joiner": "Ali\u2060ce",
    "byte order mark": "Alice\ufeff!",
    "soft hyphen": "Ali\u00adce",
    "Hangul filler": "\u3164",
    "Hangul filler within": "Ali\u3164ce",
    "half-width Hangul filler": "\uffa0",
    "Hangul initial filler": "\u115f",
    "empty Braille": "\u2800\u2800",
    "empty Braille within": "Ali\u2800ce",
    "wide space alone": "\u3000",
    "tag characters": "Alice\U000e0041\U000e0042",
    "variation selector": "Alice\ufe01",
    "picture selector after a letter": "Alice\ufe0f",
    "grapheme joiner": "Ali\u034fce",
    "a mark alone": "\u0301",
    "no note": "\U0001d159",
}
PILED = {"fifty marks": "A" + "\u0301" * 50, "four marks": "e\u0316\u0317\u0318\u0319lan"}
TAKEN = (
    *("ODS", "ods", "Ods", "O.D.S.", "O D S", "0DS", "ＯＤＳ", "ОDЅ", "ODЅ", "οds", "𝐎𝐃𝐒", "ⓄⒹⓈ", "ÓDS", "SOD", "٠DS"),
    *("a former player", "A Former  Player", "former player", "ein früherer Spieler", "Ein früherer Mitspieler"),
    *("früherer Spieler", "un ancien joueur", "Ancien joueur", "a fоrmer plаyer", "ａ ｆｏｒｍｅｒ ｐｌａｙｅｒ"),
)
GOOD = (
    *("Alice", "Bernd Bär", "Zoë", "José María", "Nguyễn Thị Ánh", "Ødegård", "Łukasz", "Ὀδυσσεύς", "Ольга", "Ο Νίκος"),
    *("علی‌رضا", "עומר", "محمد", "नरेन्द्र", "ക്രിസ്റ്റഫർ", "ශ්‍රී", "田中", "김민준", "สมชาย", "תָּמָר"),
    *("Ada ❤️", "👩‍🚀 Ada", "👩🏽‍🚀", "1️⃣", "O'Brien", "x", "7", "Odessa", "Gods", "ODS fan", "Sodom", "Mr. Former"),
)


@pytest.mark.parametrize("name", UNSEEN.values(), ids=UNSEEN)
def test_what_is_not_seen_or_turns_the_text_round_is_refused(name: str) -> None:
    assert fault_in(name) == "name-unseen"


@pytest.mark.parametrize("name", PILED.values(), ids=PILED)
def test_more_than_three_marks_on_a_letter_are_refused(name: str) -> None:
    assert fault_in(name) == "name-piled"


@pytest.mark.parametrize("name", TAKEN)
def test_nobody_passes_for_the_automaton_or_for_somebody_who_has_gone(name: str) -> None:
    assert fault_in(name) == "name-taken"


@pytest.mark.parametrize("language", languages())
def test_what_the_service_itself_calls_those_who_have_gone_is_taken_and_newcomers_are_not(language: str) -> None:
    assert fault_in(display_name(GONE, language)) == "name-taken"
    assert fault_in(display_name(UNNAMED, language)) is None


@pytest.mark.parametrize("name", GOOD)
def test_names_of_the_world_are_good(name: str) -> None:
    assert fault_in(unicodedata.normalize("NFC", name)) is None


@given(st.text(max_size=60))
def test_any_text_can_be_asked_about(name: str) -> None:
    assert fault_in(name) in (None, *NAME_FAULTS)


BAD = {
    "name-unseen": "Ali\u200bce",
    "name-piled": "A" + "\u0301" * 9,
    "name-taken": "ОDЅ",
    "name-address": "boss＠corp.example",
}


def setting(api: Caller, games: Games, name: str, where: str) -> Any:
    person = api.by(alice(games))
    return {
        "a guest": lambda: api.post("/players", {"name": name}),
        "the profile": lambda: person.patch("/me", {"name": name}),
        "a bot": lambda: person.post("/bots", {"name": name}),
        "a table": lambda: person.post("/games", {"ruleset": "sealed-bids", "seats": 3, "name": name}),
        "signing in": lambda: api.post("/sign-in", {"email": "new@example.org", "name": name}),
    }[where]()


@pytest.mark.parametrize("where", ["a guest", "the profile", "a bot", "a table", "signing in"])
@pytest.mark.parametrize("fault", NAME_FAULTS)
def test_a_bad_name_is_a_problem_that_says_why(api: Caller, games: Games, where: str, fault: str) -> None:
    if (where, fault) == ("a table", "name-address"):
        assert setting(api, games, "Sunday @ Bob's", where).status_code == 201
        return
    problem = refused(setting(api, games, BAD[fault], where), 422, "validation")
    assert problem["errors"] == [{"pointer": "/name", "detail": text("en", fault)}]


@pytest.mark.parametrize("language", languages())
def test_the_problem_speaks_the_language_that_is_asked_for(api: Caller, language: str) -> None:
    answer = api.client.post("/api/v1/players", json={"name": "ODS"}, headers={"Accept-Language": language})
    assert answer.get_json()["errors"][0]["detail"] == text(language, "name-taken")


@pytest.mark.parametrize(
    "name",
    [
        "Boardroom",
        "Boardroom Support",
        "B\N{CYRILLIC SMALL LETTER O}ardroom",
        "The Real BOARD ROOM",
        "Support Team",
        "M\N{CYRILLIC SMALL LETTER O}derator",
        "official",
    ],
)
def test_a_name_that_passes_for_the_service_is_taken_everywhere(name: str) -> None:
    assert fault_in(name) == "name-taken"
    for schema, field in ((NewApp(), "name"), (NewTournament(), "title"), (NewGame(), "name"), (NewPlayer(), "name")):
        assert field in schema.validate({field: name})


def test_words_of_the_service_among_others_are_free() -> None:
    assert [fault_in(name) for name in ("Team Blue", "Rooted", "Security Sam", "Friday staff evening")] == [None] * 4
