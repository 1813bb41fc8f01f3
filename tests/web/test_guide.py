"""The rules on the site: what they say is what the game does."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from flask import Flask

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.facts import FACTS
from service.rules.games.new_corp_order.guide import positions
from service.rules.games.new_corp_order.terms import COLOURS
from service.texts.catalog import languages
from tests.api.detail_texts import TEXTS as DETAILS
from tests.rest import Caller, refused

LANGUAGES = pytest.mark.parametrize("language", languages())


@LANGUAGES
@pytest.mark.parametrize("ruleset", ["new-corp-order", "bastards-inc", "sealed-bids"])
def test_the_rules_are_shown_with_their_pictures_and_terms(app: Flask, ruleset: str, language: str) -> None:
    web = app.test_client()
    page = web.get(f"/rules/{ruleset}?language={language}")
    assert (page.status_code, f'<html lang="{language}">' in page.text) == (200, True)
    guide = app.extensions["runtime"].games.rulesets[ruleset].guide(language)
    assert all(f'id="chapter-{chapter.name}"' in page.text for chapter in guide.chapters)
    assert all(f'id="term-{name}"' in page.text for name in guide.terms)
    pictures = figures(page.text)
    assert len(pictures) == sum(len(chapter.examples) for chapter in guide.chapters)
    for picture in pictures:
        assert 'class="board"' in picture or 'class="pieces' in picture


@LANGUAGES
@pytest.mark.parametrize("ruleset", ["new-corp-order", "bastards-inc", "sealed-bids"])
def test_a_program_is_told_the_same_as_the_page_shows(app: Flask, ruleset: str, language: str) -> None:
    web = app.test_client()
    shown = web.get(f"/rules/{ruleset}?language={language}").text
    answer = web.get(f"/api/v1/rulesets/{ruleset}/guide?language={language}")
    guide: Any = answer.get_json()
    assert (answer.status_code, answer.headers["Content-Language"], guide["language"]) == (200, language, language)
    chapters, pictures = guide["chapters"], [each for chapter in guide["chapters"] for each in chapter["pictures"]]
    points = [point for chapter in chapters for point in chapter["points"]]
    words = [each["word"] + (f" ({each['short']})" if each["short"] else "") for each in guide["terms"]]
    assert _said("h1", shown)[0].startswith(guide["title"])
    assert _said("h2", shown)[:-1] == [each["title"] for each in chapters]
    assert _said("p", shown) == [each for chapter in chapters for each in chapter["paragraphs"]]
    assert _said("dt", shown) == [each["title"] for each in points] + words
    assert _said("dd", shown) == [each["text"] for each in points] + [each["sentence"] for each in guide["terms"]]
    assert _said("figcaption", shown) == [each["text"] for each in pictures]
    captions = [re.findall(r'<div class="felt" role="group" aria-label="([^"]+)"', each)[0] for each in figures(shown)]
    assert [unescape(each) for each in captions] == [each["caption"] for each in pictures]
    for picture in (guide["picture"], pictures[-1]):
        found = web.get(picture["href"])
        assert (found.status_code, found.mimetype) == (200, "image/svg+xml")
        assert found.headers["Content-Language"] == language
        assert fromstring(found.text).tag == "{http://www.w3.org/2000/svg}svg"
    assert set(guide["actions"]) <= {each["name"] for each in guide["terms"]}


def figures(page: str) -> list[str]:
    """The positions that a page shows, each with its text."""
    return re.findall(r"<figure\b.*?</figure>", page, re.DOTALL)


def _said(tag: str, page: str) -> list[str]:
    """Return what the page's own part says in elements of a kind, as plain text, without the names of zones."""
    main = re.sub(r'<p class="title">.*?</p>', "", page.partition("<main")[2].partition("</main>")[0])
    return [
        unescape(re.sub("<[^>]+>", "", each)) for each in re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}>", main, re.DOTALL)
    ]


def test_a_language_that_the_game_does_not_speak_is_answered_in_its_first(api: Caller) -> None:
    for query in ("", "?language=eo"):
        answer = api.get(f"/rulesets/new-corp-order/guide{query}")
        assert (answer.headers["Content-Language"], answer.get_json()["language"]) == ("en", "en")
    refused(api.get("/rulesets/new-corp-order/guide?language=german"), 422, "validation")


@LANGUAGES
def test_a_program_is_told_which_rules_and_pictures_there_are_not(api: Caller, language: str) -> None:
    details = set()
    for path in ("chess/guide", "chess/guide/pictures/0.svg", "new-corp-order/guide/pictures/99.svg"):
        details.add(refused(api.get(f"/rulesets/{path}", Accept_Language=language), 404, "not-found")["detail"])
    assert details == {DETAILS[language][f"not-found-{what}"] for what in ("ruleset", "picture")}


@LANGUAGES
def test_every_language_has_the_same_chapters_and_terms_and_each_term_is_one_sentence(language: str) -> None:
    guide, english = RULESET.guide(language), RULESET.guide("en")
    assert [chapter.name for chapter in guide.chapters] == [chapter.name for chapter in english.chapters]
    assert set(guide.terms) == set(english.terms)
    for chapter in guide.chapters:
        assert chapter.title and all(chapter.paragraphs)
        assert len(chapter.points) in (0, 4, 6, len(FACTS))
    for term in guide.terms.values():
        assert term.sentence.endswith(".") and ". " not in term.sentence


@pytest.mark.parametrize(
    ("language", "before", "word", "after"),
    [
        ("de", "Fähigkeit", "Firma", "Gedreht"),
        ("de", "Stapel", "Übernahme", "Vorrat"),
        ("fr", "Conglomérat", "Étalage", "QG"),
    ],
)
def test_terms_stand_in_the_order_of_a_dictionary(language: str, before: str, word: str, after: str) -> None:
    words = [term.word for _, term in RULESET.guide(language).listed_terms()]
    assert words.index(before) < words.index(word) < words.index(after)


def test_what_the_worked_example_says_is_what_is_scored() -> None:
    seats = RULESET.standings(positions.scored(), None)["seats"]
    red = [each["conglomerates"]["red"] for each in seats]
    assert [(each["shares"], each["rank"], each["companies"], each["vp"]) for each in red] == [
        (6, 2, 5, 5),
        (6, 1, 5, 10),
        (3, None, 5, 0),
    ]
    assert [each["objectives"]["companies"].get("red", 0) for each in seats] == [1, 2, 0]


def test_the_pictures_show_what_their_words_say() -> None:
    plotted, infiltrated, taken = positions.plotted(), positions.infiltrated(), positions.taken_over()
    assert plotted.hands[0] == {**positions.before().hands[0], "red": 3, "white": 1}
    assert None not in plotted.display
    assert infiltrated.companies["A2"].agents == positions.to_infiltrate().companies["A2"].agents + 3 == 5
    assert infiltrated.hqs[0].consultants["military-contractor"] == 1
    assert (taken.companies["B2"].colour, taken.companies["B2"].agents) == ("red", 4)
    assert (taken.hqs[0].rotated["red"], taken.hqs[0].agents["black"], taken.phase) == (4, 1, "ability")
    solo = positions.alone()
    assert {colour for pair in solo.colours for colour in pair} == set(COLOURS)


def test_rules_and_pictures_that_do_not_exist_are_not_found(app: Flask) -> None:
    web = app.test_client()
    pictures = "/api/v1/rulesets/new-corp-order/guide/pictures"
    assert [each.status_code for each in (web.get("/rules"), web.get(f"{pictures}/0.svg"))] == [200, 200]
    for path in ("/rules/chess", f"{pictures}/99.svg", "/play/chess/learn/1", "/play/new-corp-order/learn/4"):
        assert web.get(path).status_code == 404


@LANGUAGES
def test_a_lesson_shows_what_changes_and_marks_it(app: Flask, language: str) -> None:
    web = app.test_client()
    zones, boards, marks = [], [], []
    for number in (1, 2, 3):
        shown = figures(web.get(f"/play/new-corp-order/learn/{number}?language={language}").text)
        assert len(shown) == 2
        zones.append([set(re.findall(r'data-zone="([^"]+)"', each)) for each in shown])
        boards.append(['class="board"' in each for each in shown])
        marks.append([each.count('class="ring"') for each in shown])
        assert all('class="piece as-card can' in each for each in shown), "what changes beside the board is marked"
    # A Plot changes the display and the hand alone; a Takeover rotates cards and sends agents to the supply.
    assert zones[0] == [{"display", "hand"}] * 2
    assert zones[2] == [{"supply", "hq-0"}] * 2
    assert "objectives" not in zones[1][0] | zones[1][1]
    assert boards == [[False, False], [True, True], [True, True]]
    assert marks == [[0, 0], [1, 1], [2, 1]]
