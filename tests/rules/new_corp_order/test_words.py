from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from hypothesis import given

from service.rules.games.new_corp_order import actions as a
from service.rules.games.new_corp_order import events as e
from service.rules.games.new_corp_order.describe import describe
from service.rules.games.new_corp_order.meta import META
from service.rules.games.new_corp_order.words import LANGUAGES, speak
from service.rules.games.new_corp_order.words.language import Language
from service.rules.kernel import Illegal
from tests.rules.new_corp_order.support import EVENTS, SECRET, SECRET_FROM_ALL, STARTED_SOLO
from tests.rules.new_corp_order.test_notation import actions

NAMES = ("Alice", "Bob")
TAGS = [language.code for language in LANGUAGES]
CODE = re.compile(r'Illegal\(\s*"([a-z-]+)"')


def is_a_sentence(text: str) -> bool:
    return text[0].isupper() and text.endswith(".") and not set("{}?") & set(text) and "  " not in text


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_every_language_has_every_word() -> None:
    english, *others = LANGUAGES
    for other in others:
        for table in (field.name for field in fields(Language)):
            words = getattr(english, table)
            if isinstance(words, dict):
                assert set(getattr(other, table)) == set(words), (other.code, table)


@pytest.mark.parametrize("table", ["refusals", "table", "phrases", "actions", "explanations"])
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


@given(actions)
def test_every_action_is_a_sentence_in_every_language(action: a.Action) -> None:
    for tag in TAGS:
        assert is_a_sentence(describe(action, 0, tag, NAMES))


def codes_in_use() -> set[str]:
    sources = Path(e.__file__).parent.glob("*.py")
    return {code for source in sources for code in CODE.findall(source.read_text())}


def test_every_refusal_of_the_rules_has_its_sentence() -> None:
    assert "no-cards-placed" in codes_in_use()
    for language in LANGUAGES:
        assert codes_in_use() <= set(language.refusals)


FACTS: dict[str, Any] = {
    "due": "ability",
    "least": 1,
    "most": 2,
    "slot": "2",
    "colour": "red",
    "square": "B2",
    "consultant": "dealmaker",
    "source": "A1",
    "target": "C3",
    "ability": "print-media",
    "hq": 1,
    "fits": "take-over",
    "colours": ("red", "blue"),
}
COUNTS = {"cards-not-in-hand": "held", "supply-too-small": "left", "too-few-cards": "unrotated"}


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("key", LANGUAGES[0].refusals)
def test_every_refusal_is_a_sentence_in_every_language(tag: str, key: str) -> None:
    code, _, rule = key.partition(".")
    counted = {COUNTS[code]: 2} if code in COUNTS else {}
    assert is_a_sentence(describe(Illegal(code, rule or None, **FACTS, **counted), 0, tag, NAMES))


def test_a_refusal_names_the_facts_and_the_way_out() -> None:
    refusal = Illegal("cards-not-in-hand", "R-15", colour="red", held=1)
    assert describe(refusal, 0, "en", NAMES) == (
        "You have 1 red card in your hand. Choose from the cards that you hold."
    )
    assert describe(refusal, 0, "de", NAMES) == (
        "Du hast 1 rote Karte auf der Hand. Wähle unter den Karten, die du hast."
    )


def test_a_refusal_without_its_facts_is_still_told() -> None:
    assert describe(Illegal("empty-slot", "R-12"), 0, "en", NAMES).startswith("Slot ? of the display is empty.")
    assert describe(Illegal("no-such-code"), 0, "fr", NAMES) == "Les règles ne permettent pas cela."


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize(("one", "other"), SECRET)
def test_a_secret_changes_no_sentence_for_others(tag: str, one: Any, other: Any) -> None:
    for viewer in (None, 1):
        assert describe(one, viewer, tag, NAMES) == describe(other, viewer, tag, NAMES)
    assert describe(one, 0, tag, NAMES) != describe(other, 0, tag, NAMES)


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize(("one", "other"), SECRET_FROM_ALL)
def test_what_nobody_may_know_changes_no_sentence_at_all(tag: str, one: Any, other: Any) -> None:
    for viewer in (None, 0):
        assert describe(one, viewer, tag, NAMES[:1]) == describe(other, viewer, tag, NAMES[:1])


@pytest.mark.parametrize(
    ("tag", "one", "many"),
    [
        ("en", "Alice placed 1 red agent on B2.", "Alice placed 2 red agents on B2."),
        ("de", "Alice hat 1 roten Agenten auf B2 gestellt.", "Alice hat 2 rote Agenten auf B2 gestellt."),
        ("fr", "Alice a placé 1 Agent rouge sur B2.", "Alice a placé 2 Agents rouges sur B2."),
    ],
)
def test_one_and_many_differ(tag: str, one: str, many: str) -> None:
    for agents, sentence in ((1, one), (2, many)):
        event = e.AgentsPlaced(seat=0, company="B2", colour="red", agents=agents)
        assert describe(event, 1, tag, NAMES) == sentence


TAKEN_OVER = e.CompanyTakenOver(seat=0, source="A1", target="B1", colour="red", agents=3, defender="blue", defenders=1)


@pytest.mark.parametrize(
    ("tag", "sentence"),
    [
        ("en", "Alice took over B1 from A1 with 3 red agents against 1 blue agent; one defender went to their HQ."),
        (
            "de",
            (
                "Alice hat B1 von A1 aus übernommen, mit 3 roten Agenten gegen 1 blauen Agenten;"
                " ein Verteidiger kam ins eigene HQ."
            ),
        ),
        (
            "fr",
            (
                "Alice a pris le contrôle de B1 depuis A1 avec 3 Agents rouges contre 1 Agent bleu\N{NO-BREAK SPACE};"
                " un défenseur est allé dans son QG."
            ),
        ),
    ],
)
def test_a_takeover_is_told_with_its_facts(tag: str, sentence: str) -> None:
    assert describe(TAKEN_OVER, 1, tag, NAMES) == sentence


@pytest.mark.parametrize(
    ("tag", "to_alice", "to_bob", "of_ods"),
    [
        ("en", "Your turn began.", "Alice's turn began.", "ODS's turn began."),
        ("de", "Dein Zug hat begonnen.", "Der Zug von Alice hat begonnen.", "Der Zug von ODS hat begonnen."),
        ("fr", "Votre tour a commencé.", "Le tour d’Alice a commencé.", "Le tour du SOD a commencé."),
    ],
)
def test_the_reader_is_addressed_and_ods_has_its_name(tag: str, to_alice: str, to_bob: str, of_ods: str) -> None:
    assert describe(e.TurnBegan(seat=0), 0, tag, NAMES) == to_alice
    assert describe(e.TurnBegan(seat=0), 1, tag, NAMES) == to_bob
    assert describe(e.TurnBegan(seat=1), 0, tag, NAMES[:1]) == of_ods


def test_a_french_name_with_a_consonant_keeps_the_vowel_before_it() -> None:
    assert describe(e.TurnBegan(seat=1), 0, "fr", NAMES) == "Le tour de Bob a commencé."


def test_a_name_with_braces_is_only_a_name() -> None:
    assert describe(e.TurnBegan(seat=0), 1, "en", ("{seat}", "Bob")) == "{seat}'s turn began."


def test_actions_are_told_to_the_seat_that_may_choose_them() -> None:
    plot = a.Plot(sources=("2", "deck"))
    assert describe(plot, 0, "en", NAMES) == "Plot: take the card in slot 2, then the top card of the deck."
    joker = a.Infiltrate(
        placements=(a.Placement(colour="red", cards=2, company="B2"),),
        use="media-advisor",
        joker="black",
        take="dealmaker",
    )
    assert describe(joker, 0, "en", NAMES) == (
        "Infiltrate with the Media Advisor: place 2 red cards and 1 black card as a joker for 3 red agents on B2;"
        " take the Dealmaker from the supply."
    )
    rotate = a.RotateCards(hq=0, colour="blue", cards=1)
    assert describe(rotate, 0, "de", NAMES) == "Guerrilla Marketing: drehe 1 blaue Karte in deinem HQ."
    assert describe(rotate, 1, "de", NAMES) == "Guerrilla Marketing: drehe 1 blaue Karte im HQ von Alice."


def test_an_unknown_language_is_english() -> None:
    assert describe(STARTED_SOLO, 0, "tlh", NAMES) == "A solo game of New Corp Order against ODS began."
    assert speak("de-AT").code == "de"
    assert speak("FR_fr").code == "fr"
    assert speak("").code == "en"


def test_the_opponent_is_called_alike_in_the_sentences_of_the_game_and_in_those_around_it() -> None:
    assert META.automata == {1: {language.code: language.ods for language in LANGUAGES}}
    assert META.automata[1]["fr"] == "SOD"
