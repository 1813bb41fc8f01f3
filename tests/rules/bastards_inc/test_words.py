"""Texts of the game, in English, German and French."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc import events as b
from service.rules.games.bastards_inc import events as c
from service.rules.games.bastards_inc import events as e
from service.rules.games.bastards_inc import events as w
from service.rules.games.bastards_inc.describe import address, card_text, describe
from service.rules.games.bastards_inc.terms import CARDS, EVENT_CARDS, LOCATIONS, PLANS, SCORES
from service.rules.games.bastards_inc.words import LANGUAGES, speak
from service.rules.games.bastards_inc.words.language import Language, Voice
from service.rules.kernel import Illegal
from service.rules.typography import UNBREAKABLE_SPACE
from tests.rules.bastards_inc.samples import ACTIONS, EVENTS, SECRET, SECRET_FROM_ALL

NAMES = ("Alice", "Bob")
TAGS = [language.code for language in LANGUAGES]
CODE = re.compile(r'(?:Illegal\(\s*|else |code = )"([a-z-]+)"')
SPACED_SIGN = re.compile(r"[^\s\u00a0][;!?»]")


def is_a_sentence(text: str) -> bool:
    return text[0].isupper() and text[-1] in ".!" and not set("{}?") & set(text) and "  " not in text


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_every_language_has_every_word() -> None:
    english, *others = LANGUAGES
    for other in others:
        for table in (field.name for field in fields(Language)):
            words = getattr(english, table)
            if isinstance(words, dict):
                assert set(getattr(other, table)) == set(words), (other.code, table)
    assert set(english.names) >= {*CARDS, *EVENT_CARDS, *PLANS, *LOCATIONS, *SCORES}


@pytest.mark.parametrize("table", ["refusals", "table", "phrases", "effects", "explanations", "questions"])
def test_every_language_says_the_same_facts(table: str) -> None:
    english, *others = LANGUAGES
    for key, sentence in getattr(english, table).items():
        for other in others:
            assert placeholders(getattr(other, table)[key]) == placeholders(sentence), (other.code, key)


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_every_event_is_a_sentence_in_every_language(tag: str, viewer: int | None) -> None:
    for event in EVENTS:
        assert is_a_sentence(describe(event, viewer, tag, NAMES)), describe(event, viewer, tag, NAMES)


@pytest.mark.parametrize("tag", TAGS)
def test_every_sentence_on_events_is_used(tag: str) -> None:
    told = {describe(event, viewer, tag, NAMES) for event in EVENTS for viewer in (None, 0)}
    for key, template in speak(tag).events.items():
        pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape(template))
        assert any(re.fullmatch(pattern, sentence) for sentence in told), key


@pytest.mark.parametrize("tag", TAGS)
def test_every_action_is_a_sentence_and_has_a_name_in_every_language(tag: str) -> None:
    for action in ACTIONS:
        assert is_a_sentence(describe(action, 0, tag, NAMES)), describe(action, 0, tag, NAMES)
        assert describe(type(action), 0, tag, NAMES)[0].isupper()


def test_french_signs_stand_off_from_their_words() -> None:
    for thing in (*EVENTS, *ACTIONS):
        sentence = describe(thing, 1, "fr", NAMES)
        assert not SPACED_SIGN.search(sentence) and not UNBREAKABLE_SPACE.search(sentence), sentence


def codes_in_use() -> set[str]:
    sources = [path.read_text() for path in Path(e.__file__).parent.rglob("*.py")]
    return {code for source in sources if "raise Illegal" in source for code in CODE.findall(source)}


def test_every_refusal_of_the_rules_has_its_sentence() -> None:
    assert {"cannot-pay", "not-laureate", "score-not-named", "nothing-to-replace", "portfolio-full"} <= codes_in_use()
    for language in LANGUAGES:
        assert codes_in_use() <= set(language.refusals)


FACTS: dict[str, Any] = {"due": "place", "price": 5, "card": "a27", "vp": 2}


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("key", LANGUAGES[0].refusals)
def test_every_refusal_is_a_sentence_in_every_language(tag: str, key: str) -> None:
    code, _, rule = key.partition(".")
    told = describe(Illegal(code, rule or None, **FACTS), 0, tag, NAMES)
    assert told[-1] == "." and not set("{}?") & set(told) and "  " not in told
    assert told[0].isupper() or told[0] in "“„«"


def test_a_refusal_without_its_facts_is_still_told() -> None:
    assert describe(Illegal("cannot-pay", "B-11"), 0, "en", NAMES) == "You cannot pay that; the price is ?."
    assert describe(Illegal("no-such-code"), 0, "fr", NAMES) == "Les règles ne permettent pas cela."


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize(("one", "other"), SECRET)
def test_b_05_a_secret_changes_no_sentence_for_others(tag: str, one: Any, other: Any) -> None:
    for viewer in (None, 1):
        assert describe(one, viewer, tag, NAMES) == describe(other, viewer, tag, NAMES)
        assert address(one, 1, tag, NAMES) == address(other, 1, tag, NAMES)
    assert describe(one, 0, tag, NAMES) != describe(other, 0, tag, NAMES)


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize(("one", "other"), SECRET_FROM_ALL)
def test_b_05_what_nobody_may_know_changes_no_sentence_at_all(tag: str, one: Any, other: Any) -> None:
    for viewer in (None, 0, 1):
        assert describe(one, viewer, tag, NAMES) == describe(other, viewer, tag, NAMES)


def test_b_20_nobody_is_named_of_whom_a_card_will_be_discarded() -> None:
    for tag in TAGS:
        assert "Alice" not in describe(e.DiscardChosen(seat=0, card="a01"), 1, tag, NAMES)


@pytest.mark.parametrize(
    ("tag", "to_alice", "to_bob"),
    [
        (
            "en",
            "You sold Stuff in the Tigers for 5 Billions; VP 2 went to the VIP Lounge.",
            "Alice sold Stuff in the Tigers for 5 Billions; VP 2 went to the VIP Lounge.",
        ),
        (
            "de",
            "Du hast in den Tigerstaaten für 5 Milliarden Zeug verkauft; VP 2 ging in die VIP Lounge.",
            "Alice hat in den Tigerstaaten für 5 Milliarden Zeug verkauft; VP 2 ging in die VIP Lounge.",
        ),
        (
            "fr",
            "Vous avez vendu du Matos chez les Tigres pour 5 milliards\u00a0; le VP 2 est allé au salon VIP.",
            "Alice a vendu du Matos chez les Tigres pour 5 milliards\u00a0; le VP 2 est allé au salon VIP.",
        ),
    ],
)
def test_the_reader_is_addressed_and_others_are_named(tag: str, to_alice: str, to_bob: str) -> None:
    sold = b.StuffSold(seat=0, vp=2, region="TIG", billions=5)
    assert describe(sold, 0, tag, NAMES) == address(sold, 0, tag, NAMES) == to_alice
    assert describe(sold, 1, tag, NAMES) == to_bob


@pytest.mark.parametrize(
    ("tag", "one", "many"),
    [
        ("en", "Bob got 1 Billion from the bank.", "Bob got 2 Billions from the bank."),
        ("de", "Bob hat 1 Milliarde von der Bank bekommen.", "Bob hat 2 Milliarden von der Bank bekommen."),
        ("fr", "Bob a reçu 1 milliard de la banque.", "Bob a reçu 2 milliards de la banque."),
    ],
)
def test_one_and_many_differ(tag: str, one: str, many: str) -> None:
    for billions, sentence in ((1, one), (2, many)):
        assert describe(c.BillionsGained(seat=1, billions=billions), 0, tag, NAMES) == sentence


def test_b_40_what_an_event_declares_is_told_with_it() -> None:
    event = w.EventRevealed(
        event="e13",
        famine=True,
        booms=(w.Boom(region="SUP", billions=2),),
        thresholds=(w.Threshold(region="KOR", score="cor", higher=2),),
    )
    assert describe(event, None, "en", NAMES) == (
        "Event: “Clean Hands Campaign”. In force until the next one: a famine, sales in the One $uperpower +2,"
        " Corruption in Corruptistan +2."
    )


def test_b_82_a_nuclear_war_has_no_winner_but_the_owner_of_the_bunker() -> None:
    ended = e.GameEnded(reason="nuclear-war", winners=(), worths=(0, 0))
    assert describe(ended, 0, "en", NAMES) == "Nuclear war! The game is over, and everybody has lost."
    saved = e.GameEnded(reason="nuclear-war", winners=(1,), worths=(0, 30))
    assert "Bob, in the Bunker" in describe(saved, 0, "en", NAMES)


def test_a_french_vowel_takes_the_apostrophe() -> None:
    assert describe(e.TurnBegan(seat=0), 1, "fr", NAMES) == "Le tour d’Alice a commencé."
    assert describe(e.TurnBegan(seat=1), 0, "fr", NAMES) == "Le tour de Bob a commencé."


def test_a_name_with_braces_is_only_a_name() -> None:
    assert describe(e.TurnBegan(seat=0), 1, "en", ("{seat}", "Bob")) == "{seat}’s turn began."


def test_actions_are_told_to_the_seat_that_may_choose_them() -> None:
    venture = a.Deal(card="b13", vps=(1,), partner=a.Delegate(seat=1, vp=3), pay=2, replaces="b02")
    assert describe(venture, 0, "en", NAMES) == (
        "Make the business “Supply Chain of Fools” with VP 1 and Bob’s VP 3 as a joint venture, in the place of “Credit"
        " for a Goat”; you pay the partner 2 Billions."
    )
    assert describe(a.Place(to="POO", by="cri"), 0, "de", NAMES) == ("Setze den VP mit Verbrechen zu den Habenichtsen.")


def test_an_unknown_language_is_english() -> None:
    assert describe(e.PlacingBegun(), 0, "tlh", NAMES).startswith("The VPs")
    assert (speak("de-AT").code, speak("FR_fr").code, speak("").code) == ("de", "fr", "en")


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("card", CARDS)
def test_every_card_says_what_it_does(tag: str, card: str) -> None:
    told = card_text(Voice(speak(tag), None, NAMES), card)
    assert told and not set("{}?") & set(told)


def test_b_58_a_business_names_its_score_slots_income_and_whether_it_is_illegal() -> None:
    voice = Voice(speak("en"), None, NAMES)
    assert card_text(voice, "b14") == "Corruption 2; POO + RST/TIG; 4 black money each, illegal"
    assert card_text(voice, "a10") == "any of your scores +1 for good, costs 4 Billions"
    assert card_text(voice, "a11") == "a score of somebody else −1 for good, costs 1 Billion"
    assert card_text(voice, "a17") == "Stuff −2 in a region"
