"""Texts in every language: complete, typeset, in the words of docs/words.md, without riddles."""

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
from service.texts import po_files
from service.texts.catalog import keys, languages, say, text
from service.texts.po_files import LOCALE, VERIFIER, domains
from tests.docs.rooms import ROOT as REPOSITORY
from tests.mail_goldens import mail_of, read
from tests.mail_samples import WRITERS
from tests.mail_tree import body
from tests.rules.playouts import RULESETS

WORDS = (REPOSITORY / "docs" / "words.md").read_text()
NAMES = {"English": "en", "German": "de", "French": "fr"}
OTHER_MEANING = {
    *("somebody", "personal", "confirm-asked", "reply-address-asked", "sign-in-asked", "mail-budget"),
    *("lobby-mail-budget", "passkey-copied", "passkeys-copied", "unsubscribe-kind-problem", "changed-not-you"),
    *("changed-not-you-passkey-added", "changed-not-you-passkey-removed", "changed-not-you-app-granted"),
    "changed-not-you-account-deleted",
    *("answer-nothing", "headline-resigned", "sign-in-twice-do"),
}
"""Texts about somebody who is perhaps no player, about a reply that matches, and about giving up."""
QUOTING_TEXT = "answer-help-say"
"""The text that quotes what a player may write."""
ADDRESSES = {"en": None, "de": r"(?<![.:;?!„(])\s(?:Sie|Ihnen|Ihre?[mnrs]?)\b", "fr": r"\b(?:tu|toi|ton|tes)\b"}
"""Words that address the reader in another way than the pages do; a German sentence may begin with the other "Sie"."""
IDENTIFIER = re.compile(r"[!#]\w+|!ID\b")


def table(language: str) -> list[tuple[str, str, list[str]]]:
    """Return the rows of a language: the thing, its word, and the words that it does not have."""
    heading = next(name for name, code in NAMES.items() if code == language)
    section = WORDS.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return [(thing, word, [each.strip() for each in wrong.split(",")]) for thing, word, wrong in rows[2:]]


def pattern(words: list[str]) -> re.Pattern[str]:
    """Return what finds the words: a star is any ending."""
    found = "|".join(re.escape(each).replace(r"\*", r"\w*") for each in words)
    return re.compile(rf"(?<![\w-])(?:{found})(?![\w-])", re.IGNORECASE)


def said(language: str) -> Iterator[tuple[str, str]]:
    """Yield the texts but those of problems with their keys, without placeholders; those that count in all forms."""
    for message in po_files.messages(po_files.read(po_files.path_of(po_files.LOCALE, language, po_files.SERVICE))):
        key, forms = po_files.key_of(message), message.id if language == po_files.SOURCE else message.string
        if not key.startswith("detail-"):  # of the API, which has words of its own
            for form in (forms,) if isinstance(forms, str) else tuple(forms):
                yield key, re.sub(r"\{\w*\}", "…", form)


@pytest.mark.parametrize("language", languages())
def test_a_page_has_the_one_word_for_each_thing(language: str) -> None:
    rows = table(language)
    assert len(rows) >= 7
    found = [
        f"{key} says {hit[0]!r} for {word!r}"
        for _, word, wrong in rows
        for key, form in said(language)
        if key not in OTHER_MEANING and (hit := pattern(wrong).search(form))
    ]
    assert found == []


@pytest.mark.parametrize("language", languages())
def test_a_page_praises_nobody_and_addresses_its_reader_as_the_others_do(language: str) -> None:
    texts = list(said(language))
    assert len(texts) > 1_500
    assert [key for key, form in texts if "!" in IDENTIFIER.sub("", form)] == [QUOTING_TEXT]
    other = ADDRESSES[language]
    assert other is None or [key for key, form in texts if re.search(other, form)] == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("asks", ["ask-never", "never", "challenge-never"])
def test_a_page_that_has_done_something_has_another_heading_than_the_page_that_asked(language: str, asks: str) -> None:
    assert text(language, f"{asks}-done-title") != text(language, f"{asks}-title")


def test_every_language_has_a_table_and_a_star_is_any_ending() -> None:
    assert set(NAMES.values()) == set(languages())
    assert pattern(["match*"]).search("two matches") and not pattern(["mail"]).search("mailbox")
    assert text("en", "at-resign") == "Resign"


RIDDLES = {
    "en": r"^Either there is|^What others|^Who (?:do|does) |not yours to|could not be understood",
    "de": r"^Entweder gibt|Notation|[Nn]iemandes Zeit|war nicht zu verstehen|^Was du \w+ hattest|^Was andere",
    "fr": r"^Soit (?:cette|ce) .* soit|temps de personne|^Toucher montre|n'a pas (?:été|pu être) compris",
}
SIGNS = re.compile(r"@\d|n°|\b(?:R{2,}|K{2,}|B{2,}|W{2,})\b|\((?:R|K|B|W)\)")
QUOTED = re.compile(r"[\"„«][^\"“»]*[\"“»]")
MAILS = sorted(WRITERS)


@pytest.mark.parametrize("language", languages())
def test_no_sentence_of_the_service_riddles(language: str) -> None:
    riddle, found = re.compile(RIDDLES[language]), []
    for name in po_files.domains(po_files.LOCALE):
        for message in po_files.messages(po_files.read(po_files.path_of(po_files.LOCALE, language, name))):
            said = message.id if language == po_files.SOURCE else message.string
            forms = (said,) if isinstance(said, str) else tuple(said)
            found += [f"{name}/{po_files.key_of(message)}: {form}" for form in forms if riddle.search(form)]
    assert found == []


@pytest.mark.parametrize("name", MAILS)
def test_the_text_of_a_mail_has_no_signs_of_the_notation(name: str) -> None:
    lines = body(read(mail_of(name)), "plain").splitlines()
    # Moves are offered by their notation, each followed by its sentence, in quotation marks, or as the path of a link.
    told = [line.partition(" = ")[2] or line for line in lines if not line.strip().startswith("http")]
    assert [line for line in told if SIGNS.search(QUOTED.sub("", line))] == []


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
"""Texts of pages that are the same in every language: names, units and commands."""
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
    """Find a place where a French text is badly set."""
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
    """Words of a template itself, outside of all that is put in."""

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
