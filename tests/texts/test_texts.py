"""Every language says everything, and nothing is said in one language only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from jinja2 import Environment

import service
from service.rules.games.new_corp_order.guide.english import ENGLISH as GUIDE
from service.rules.games.new_corp_order.guide.french import FRENCH as GUIDE_FR
from service.rules.games.new_corp_order.guide.german import GERMAN as GUIDE_DE
from service.rules.games.new_corp_order.words import LANGUAGES
from service.rules.typography import STRAIGHT_APOSTROPHE, UNBREAKABLE_SPACE, typeset
from service.texts.catalog import keys, languages, say, text
from service.texts.po_files import LOCALE, VERIFIER, domains
from tests.rules.playouts import RULESETS

ROOT = Path(service.__file__).parent
TEMPLATES = sorted(path for room in ("web", "mail") for path in (ROOT / room / "templates").rglob("*.html"))
SHOWN = ("alt", "title", "aria-label", "placeholder", "label", "summary")
"""Attributes whose values people read or hear."""

SAME_EVERYWHERE = {
    "Boardroom",
    "boardroom",
    "· · · ms ·",
    'curl /me \\ -H "Authorization: Bearer "',
    "openapi.yaml",
    "verify.mjs",
    "clocks.mjs",
    "deal.mjs",
    "boardroom verify --keys boardroom-keys.json RECORD.jsonl",
    "node verify.mjs RECORD.jsonl boardroom-keys.json",
    "boardroom-keys.json",
    "boardroom verify --deal proof.json --keys boardroom-keys.json RECORD.jsonl",
    "proof.json",
}
"""What pages say in no language: names, units and commands."""
SAME_WORD = {
    *("Webhooks", "Browser", "Bots", "Mails", "Date", "Passkeys", "Apps"),
    *("Online Marketing", "Guerrilla Marketing", "Social Media", "Online", "Guerrilla", "Social", "Viral", "Deluxe"),
    *("Agent", "Agents", "Consultant", "Consultants", "Headhunter", "Marker", "HQ", "ODS"),
    *("Notation:", "Pause", "normal", "Form", "Verdict", "Live", "minutes"),
    *("Computer ({level})", "Computer {number} ({level})"),
    *("Ada", "Ben", "Cleo"),
    *("Action", "Points", "points"),
}
"""Words of the one language that are words of another, too, and names."""

CATALOGS = {
    name: {language: {key: text(language, key) for key in keys(name)} for language in languages()}
    for name in domains(LOCALE)
}
"""The texts of the service, by the name of their catalog."""

TABLES: dict[str, Mapping[str, Any]] = {
    **CATALOGS,
    "words of New Corp Order": {language.code: language for language in LANGUAGES},
    "guide to New Corp Order": {"en": GUIDE, "de": GUIDE_DE, "fr": GUIDE_FR},
    **{
        f"{name} in the lobby": {
            each: {option.name: option.describe.get(each) for option in ruleset.meta.options}
            | {"summary": ruleset.meta.summary.get(each)}
            for each in ruleset.meta.languages
        }
        for name, ruleset in RULESETS.items()
    },
}
"""Everything that is said to people, by language: a game speaks those of its own."""

TRANSLATED = pytest.mark.parametrize(
    ("table", "language"), [(table, each) for table, said in TABLES.items() for each in said if each != "en"]
)
FRENCH = [table for table, said in TABLES.items() if "fr" in said]


def texts(thing: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text in mappings, records and tuples, with the way to it."""
    if isinstance(thing, str):
        yield path, thing
        return
    if is_dataclass(thing):
        thing = {field.name: getattr(thing, field.name) for field in fields(thing)}
    if isinstance(thing, tuple):
        thing = dict(enumerate(thing))
    if isinstance(thing, Mapping):
        for key, each in thing.items():
            yield from texts(each, f"{path}/{key}")


def unset(text: str) -> object:
    """Where a French text is not as it is set."""
    return UNBREAKABLE_SPACE.search(text) or STRAIGHT_APOSTROPHE.search(text)


def blanks(text: str) -> set[str]:
    """The names of the values that go into a text, but for a preposition that French has before names."""
    return {name for _, name, _, _ in Formatter().parse(text) if name} - {"of"}


@TRANSLATED
def test_a_language_has_every_text_with_the_same_blanks(table: str, language: str) -> None:
    english, theirs = (dict(texts(TABLES[table][each])) for each in ("en", language))
    assert english
    assert {path: blanks(text) for path, text in theirs.items()} == {
        path: blanks(text) for path, text in english.items()
    }


@pytest.mark.parametrize("table", [table for table in FRENCH if not table.startswith("guide")])
def test_french_is_typeset(table: str) -> None:
    assert [path for path, text in texts(TABLES[table]["fr"]) if unset(text)] == []


@pytest.mark.parametrize("name", [name for name, each in RULESETS.items() if "fr" in each.meta.languages])
def test_what_a_game_explains_in_french_is_typeset(name: str) -> None:
    guide = RULESETS[name].guide("fr")
    # Positions have names as the game stores them.
    told = (each for each in texts(guide) if not {"state", "happened"} & set(each[0].split("/")))
    assert [path for path, text in told if unset(text)] == []


def test_an_apostrophe_between_words_is_curved_and_one_of_the_notation_stays() -> None:
    assert typeset("l'écran d'{name} : PM R @1 K'") == "l’écran d’{name}\N{NO-BREAK SPACE}: PM R @1 K'"


def test_what_is_put_into_a_french_text_stays_as_it_is() -> None:
    said = say("fr", "score", name="Qui ? Moi : Bob !", score=3)
    assert said == "Qui ? Moi : Bob !\N{NO-BREAK SPACE}: 3"


@TRANSLATED
def test_no_text_is_left_in_english(table: str, language: str) -> None:
    english, theirs = (dict(texts(TABLES[table][each])) for each in ("en", language))
    left = [path for path, text in theirs.items() if text == english[path] and text not in SAME_WORD]
    assert [path for path in left if re.search(r"[^\W\d_]", re.sub(r"\{\w*\}", "", english[path]))] == []


def test_whatever_the_check_of_records_can_find_is_said_in_every_language() -> None:
    script = "".join((ROOT / "web" / "static" / name).read_text() for name in ("verify.mjs", "clocks.mjs", "deal.mjs"))
    sentences = {numbered(each) for each in re.findall(r"\bsay`([^`]*)`", script)}
    assert sentences == set(keys(VERIFIER))


def numbered(sentence: str) -> str:
    """A template of JavaScript with numbers for its values."""
    places = count()
    return re.sub(r"\$\{[^}]*\}", lambda _: f"{{{next(places)}}}", sentence)


class Said(HTMLParser):
    """What a template says by itself, outside of all that is put in."""

    def __init__(self, template: str) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self._hidden = False
        self.feed("".join(value for _, kind, value in Environment().lex(template) if kind == "data"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden = tag in ("style", "script")
        self.words += [value for name, value in attrs if name in SHOWN and value and self._is_said(value)]

    def handle_endtag(self, tag: str) -> None:
        self._hidden = False

    def handle_data(self, data: str) -> None:
        if not self._hidden and self._is_said(data):
            self.words.append(" ".join(data.split()))

    def _is_said(self, words: str) -> bool:
        return re.search(r"[^\W\d_]", words) is not None


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_template_says_nothing_by_itself(template: Path) -> None:
    assert set(Said(template.read_text()).words) <= SAME_EVERYWHERE


def test_a_template_that_speaks_english_is_found() -> None:
    template = '<p title="{{ title }}">{{ say("hello") }}</p><img alt="A table"><p>Your move{# not said #}</p>'
    assert Said(template).words == ["A table", "Your move"]


def test_every_text_that_is_asked_for_by_name_is_there() -> None:
    sources = [*TEMPLATES, *(path for room in ("web", "mail") for path in (ROOT / room).rglob("*.py"))]
    asked = {key for path in sources for key in re.findall(r'\bsay\((?:[\w.\[\]]+, )?"([\w-]+)"', path.read_text())}
    assert len(asked) > 100
    # One that ends in a hyphen is only the beginning of a name.
    begun = {key for key in asked if key.endswith("-")}
    there = {key for name in CATALOGS for key in keys(name)}
    assert [key for key in begun if not any(each.startswith(key) for each in there)] == []
    assert asked - there == begun


def test_a_language_that_we_do_not_speak_is_answered_in_english() -> None:
    assert say("eo", "played") == say("en", "played")
