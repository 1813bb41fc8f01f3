"""The guide: its numbers are those of the edition, and its examples are real."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from service.rules.games.bastards_inc import RULESET
from service.rules.games.bastards_inc.edition import BUSINESS_DATA, REGION_DATA, WAR_TABLE
from service.rules.games.bastards_inc.guide import guide
from service.rules.games.bastards_inc.guide import positions as p
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.tabletop.words import Speaker
from service.rules.guide import Chapter
from service.rules.typography import UNBREAKABLE_SPACE

languages = pytest.mark.parametrize("language", RULESET.meta.languages)


def chapter(language: str, name: str) -> Chapter:
    (found,) = [each for each in guide(language).chapters if each.name == name]
    return found


def texts(language: str) -> Iterator[str]:
    shown = guide(language)
    for each in shown.chapters:
        yield from (*each.paragraphs, *each.points, *each.points.values(), *(example.text for example in each.examples))
    yield from (term.sentence for term in shown.terms.values())


@languages
def test_every_number_is_filled_in(language: str) -> None:
    assert not any(set("{}") & set(text) for text in texts(language))


def test_french_lines_do_not_end_before_a_colon() -> None:
    assert not [text for text in texts("fr") if UNBREAKABLE_SPACE.search(text)]


@languages
def test_the_war_table_of_the_guide_is_that_of_the_rules(language: str) -> None:
    told = Speaker(language, ())
    rows = list(chapter(language, "war").points.items())
    least = 1
    for (name, text), row in zip(rows, WAR_TABLE, strict=True):
        span = f"{least}–{row.up_to}" if least < row.up_to else f"{row.up_to}"
        assert name == f"{span}, {told.name(row.row)}"
        assert not row.loss or re.match(rf"{row.loss} ", text)
        least = row.up_to + 1


def test_the_pictures_show_what_their_texts_say() -> None:
    placed, dealt = p.placed(), p.dealt()
    assert placed.companies[p.ADA].vps[0].at == "TIG"
    assert dealt.companies[p.ADA].vps[1].black == BUSINESS_DATA["b03"].income == 3
    assert dealt.companies[p.ADA].portfolio[0].turned
    assert p.to_place().companies[p.ADA].scores.cor == 5 and REGION_DATA["TIG"].income == 5


def test_what_the_texts_say_can_be_done_is_legal() -> None:
    glance = {RULESET.notate(action) for action in legal(p.glance(), p.ADA)}
    assert {"sell 1", "launder 2"} <= glance
    at_war = {RULESET.notate(action) for action in legal(p.at_war(), p.ADA)}
    assert "launder 2" not in at_war
