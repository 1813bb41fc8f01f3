"""The catalogs: merge, check, and a new language without an edit to code."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree, ignore_patterns
from uuid import uuid4

import pytest
from flask import Flask

from service.runtime import Runtime
from service.store.games import Games
from service.texts import po_files
from service.texts.__main__ import main
from service.texts.catalog import count, keys, languages, say, text
from service.texts.check import faults, key_usage
from service.texts.merge import merge
from service.texts.when import moment
from tests.browsing import browser, send
from tests.builders import started
from tests.letters import letters, turn_mails
from tests.people import alice, bob, carol, register
from tests.rest import Caller
from tests.rest import refused as rest_refused
from workers.jobs import carry_out

ROOT = Path(__file__).parents[2]
ESPERANTO_PLURALS = "nplurals=3; plural=(n==1 ? 0 : n==2 ? 1 : 2);"
DOCUMENT = """
import sys
from pathlib import Path
from service.texts import po_files
po_files.LOCALE = Path(sys.argv.pop())
from service.api.contract import INFO
print(INFO["description"])
"""


@pytest.fixture
def locale(tmp_path: Path) -> Path:
    """The catalogs with an Esperanto: `make texts` has filled its empty folder, and somebody has translated them."""
    folder = Path(copytree(po_files.LOCALE, tmp_path / "locale"))
    (folder / "eo").mkdir()
    merge(folder)
    for domain in po_files.domains(folder, "eo"):
        translated(po_files.path_of(folder, "eo", domain))
    return folder


@pytest.fixture
def esperanto(locale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that was started with the folder."""
    monkeypatch.setattr(po_files, "LOCALE", locale)


def translated(path: Path) -> None:
    """Put every text of a catalog into brackets; the language has three plural forms, which are marked."""
    catalog = po_files.read(path)
    catalog.mime_headers = [("Plural-Forms", ESPERANTO_PLURALS)]
    for message in po_files.messages(catalog):
        if isinstance(message.id, str):
            message.string = "Esperanto" if po_files.key_of(message) == "language-name" else f"«{message.id}»"
        else:
            message.string = tuple(f"«{form}: {message.id[-1]}»" for form in ("one", "two", "many"))
    po_files.write(path, "eo", catalog)


def test_the_check_finds_nothing_wrong_with_it(locale: Path) -> None:
    assert po_files.languages(locale) == ("en", "de", "eo", "fr")
    assert faults(locale, lambda key: True) == []


@pytest.mark.usefixtures("esperanto")
def test_a_page_speaks_it_and_offers_it_by_its_own_name(app: Flask) -> None:
    web = app.test_client()
    assert f"<h1>{say('en', 'start-title')}</h1>" in web.get("/").text
    wished = web.get("/", headers={"Accept-Language": "eo-XX, en;q=0.5"}).text
    assert '<html lang="eo">' in wished and f"<h1>«{say('en', 'start-title')}»</h1>" in wished
    assert '<button name="language" value="eo" lang="eo" aria-current="true">Esperanto</button>' in wished


@pytest.mark.usefixtures("esperanto")
def test_it_can_be_chosen_by_a_visitor_and_in_the_settings(app: Flask, games: Games) -> None:
    web = app.test_client()
    send(web, "/", "/language", language="eo")
    assert '<html lang="eo">' in web.get("/").text
    person = alice(games)
    web = browser(app, games, person)
    assert '<option value="eo" lang="eo">Esperanto</option>' in web.get("/settings").text
    saved = send(web, "/settings", "/settings", name="Alice", language="eo", time_zone="UTC")
    assert f"«{say('en', 'settings-saved')}»" in web.get(str(saved.location)).text
    assert Caller(app.test_client(), person.token).get("/me").get_json()["language"] == "eo"


@pytest.mark.usefixtures("esperanto")
def test_a_mail_speaks_it_and_says_in_which_languages_the_game_is(
    runtime: Runtime, games: Games, mailbox: Path
) -> None:
    reader = register(games, "Ludoviko", "ludoviko@example.org", "eo")
    position = started(games, "sealed-bids", [reader, bob(games), carol(games)])
    carry_out(runtime, turn_mails(games, position)[0].id)
    (letter,) = letters(mailbox, position.game.id)
    assert letter.message["Content-Language"] == "eo"
    words = " ".join(letter.text.split())
    assert "«Mail settings» " in words
    assert "«This game speaks angla, germana kaj franca only.» " in words
    assert words.index("«This game speaks") < words.index("Lot 1")


@pytest.mark.usefixtures("esperanto")
def test_a_problem_speaks_it(app: Flask, games: Games) -> None:
    caller = Caller(app.test_client(), register(games, "Ludoviko", None, "eo").token)
    for headers in ({}, {"Accept_Language": "eo"}):
        answer = caller.get(f"/games/{uuid4()}", **headers)
        assert rest_refused(answer, 404, "unknown-game")["detail"] == f"«{say('en', 'detail-unknown-game')}»"
        assert answer.headers["Content-Language"] == "eo"


@pytest.mark.usefixtures("esperanto")
def test_it_counts_and_tells_the_time_in_its_own_way() -> None:
    assert [count("eo", "recap-more", number) for number in (1, 2, 1234)] == [
        "«one: and 1 more events before these»",
        "«two: and 2 more events before these»",
        "«many: and 1\N{NO-BREAK SPACE}234 more events before these»",
    ]
    assert moment(datetime(2026, 11, 20, 17, 45, tzinfo=UTC), "eo").startswith("vendredo, la 20-a de Novembro 2026")


@pytest.mark.slow
def test_the_documents_name_it(app: Flask, locale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    described = run(ROOT, "-c", DOCUMENT, str(locale)).stdout
    assert "It is English, German, Esperanto or French: as the request's header" in described
    monkeypatch.setattr(po_files, "LOCALE", locale)
    assert "in English, German, Esperanto or French" in " ".join(app.test_client().get("/problems/").text.split())


def test_what_is_not_translated_yet_is_said_in_english(locale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = po_files.path_of(locale, "eo", po_files.SERVICE)
    path.write_text(re.sub(r'(msgctxt "(?:personal|back-ask)")', r"#, fuzzy\n\1", path.read_text()))
    po_files.path_of(locale, "eo", po_files.VERIFIER).unlink()
    monkeypatch.setattr(po_files, "LOCALE", locale)
    assert "eo" in languages()
    for key in ("personal", *keys(po_files.VERIFIER)):
        assert text("eo", key) == text("en", key)
    assert count("eo", "back-ask", 2) == count("en", "back-ask", 2)


@pytest.mark.long
@pytest.mark.slow
def test_the_steps_that_are_written_down_lead_to_a_language_to_be_translated(tmp_path: Path) -> None:
    for room in ("service", "schemas", "workers"):
        copytree(ROOT / room, tmp_path / room, ignore=ignore_patterns("__pycache__", "static", "fonts", "rules"))
    page = (ROOT / "docs" / "add-a-language.md").read_text()
    folder, *commands = re.findall(r"^   (mkdir .*|make texts|python .*)$", page, re.MULTILINE)
    (tmp_path / folder.removeprefix("mkdir ")).mkdir()
    assert commands == ["make texts", "python -m service.texts check"]
    assert "\n\t@$(BIN)/python -m service.texts\n" in (ROOT / "Makefile").read_text()
    filled, checked = (run(tmp_path, "-m", "service.texts", *what) for what in ([], ["check"]))
    assert (filled.returncode, filled.stderr, checked.returncode) == (0, "", 1)
    faults = checked.stderr.splitlines()
    assert len(faults) > 800 and all(
        fault.startswith("pl/") and fault.endswith("missing, not translated yet") for fault in faults
    )
    made = po_files.read(po_files.path_of(tmp_path / "service" / "texts" / "locale", "pl", po_files.SERVICE))
    assert made.num_plurals == 3


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, check=False, capture_output=True, text=True, timeout=60
    )


HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: {formula}\\n"\n\n'
GERMAN_PLURALS = "nplurals=2; plural=(n != 1);"
POLISH_PLURALS = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"
GREETING = 'msgctxt "greeting"\nmsgid "Hello {name}."\n'
LEFT = 'msgctxt "left"\nmsgid "One seat."\nmsgid_plural "{count} seats."\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Catalogs of a greeting and of a text that counts, in English and German."""
    written(tmp_path, "en", f'{GREETING}msgstr ""\n\n{LEFT}msgstr[0] ""\nmsgstr[1] ""\n')
    written(
        tmp_path,
        "de",
        f'{GREETING}msgstr "Hallo {{name}}."\n\n{LEFT}msgstr[0] "Ein Platz."\nmsgstr[1] "{{count}} Plätze."\n',
    )
    return tmp_path


def written(folder: Path, language: str, entries: str, formula: str = GERMAN_PLURALS) -> None:
    path = po_files.path_of(folder, language, "letter")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER.format(formula=formula) + entries)


def changed(folder: Path, language: str, before: str, after: str) -> None:
    """Change a catalog as somebody does in an editor."""
    path = po_files.path_of(folder, language, "letter")
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))


def german(folder: Path) -> str:
    return po_files.path_of(folder, "de", "letter").read_text()


def refused(folder: Path, *unused: str) -> list[str]:
    return faults(folder, lambda key: key not in unused)


def test_the_catalogs_of_the_service_are_complete_and_as_make_texts_writes_them(tmp_path: Path) -> None:
    merge(Path(copytree(po_files.LOCALE, tmp_path / "locale")))
    ours, merged = (
        {path.relative_to(each): path.read_bytes() for path in each.rglob("*.*")}
        for each in (po_files.LOCALE, tmp_path / "locale")
    )
    assert merged == ours
    assert main(["check"]) == 0


def test_nothing_is_wrong_with_a_translated_catalog(folder: Path) -> None:
    assert refused(folder) == []


def test_an_english_text_that_changes_makes_its_translation_fuzzy(folder: Path) -> None:
    changed(folder, "en", "Hello {name}.", "Good day, {name}.")
    assert refused(folder) == ["de/letter: greeting: its English has changed; `make texts` marks it"]
    merge(folder)
    assert '#, fuzzy, python-brace-format\n#| msgid "Hello {name}."\nmsgctxt "greeting"' in german(folder)
    assert 'msgid "Good day, {name}."\nmsgstr "Hallo {name}."' in german(folder)
    assert refused(folder) == [
        "de/letter: greeting: fuzzy, its English has changed: translate it anew and remove the mark"
    ]
    before = german(folder)
    merge(folder)
    assert german(folder) == before


def test_a_new_english_text_appears_empty_in_its_place(folder: Path) -> None:
    changed(folder, "en", LEFT, f'msgctxt "recap"\nmsgid "Since then"\nmsgstr ""\n\n{LEFT}')
    assert refused(folder) == ["de/letter: recap: missing; `make texts` adds it, to be translated"]
    merge(folder)
    assert 'msgctxt "recap"\nmsgid "Since then"\nmsgstr ""\n\n' in german(folder)
    assert refused(folder) == ["de/letter: recap: missing, not translated yet"]


def test_a_text_that_english_no_longer_has_goes(folder: Path) -> None:
    changed(folder, "en", f'{GREETING}msgstr ""\n\n', "")
    assert refused(folder) == ["de/letter: greeting: unused, English has no such text; `make texts` removes it"]
    merge(folder)
    assert "greeting" not in german(folder)
    assert "Ein Platz." in german(folder)
    assert refused(folder) == []


def test_a_catalog_that_english_no_longer_has_goes(folder: Path) -> None:
    for language in ("en", "de"):
        po_files.path_of(folder, language, "old").write_text(po_files.path_of(folder, language, "letter").read_text())
    po_files.path_of(folder, "en", "old").unlink()
    merge(folder)
    assert po_files.domains(folder, "de") == ("letter",)


def test_a_key_that_no_code_names_is_refused(folder: Path) -> None:
    assert refused(folder, "greeting") == ["en/letter: greeting: unused, no code names the key"]


def test_a_key_that_two_catalogs_have_is_refused(folder: Path) -> None:
    for language in ("en", "de"):
        po_files.path_of(folder, language, "page").write_text(po_files.path_of(folder, language, "letter").read_text())
    assert "en/page: greeting: the key is there twice" in refused(folder)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Hallo {name}.", "Hallo."),
        ("Hallo {name}.", "Hallo {nam}."),
        ("Hallo {name}.", "Hallo {name} {name.__class__}."),
        ("{count} Plätze.", "Plätze."),
        ("Ein Platz.", "Ein Platz bei {name}."),
    ],
)
def test_a_translation_with_other_placeholders_is_refused(folder: Path, before: str, after: str) -> None:
    changed(folder, "de", f'"{before}"', f'"{after}"')
    (fault,) = refused(folder)
    assert "placeholder mismatch, the English has" in fault


def test_a_form_that_stands_for_many_numbers_has_to_have_the_number(folder: Path) -> None:
    forms = 'msgstr[0] "Jedno miejsce."\nmsgstr[1] "{count} miejsca."\nmsgstr[2] "{count} miejsc."\n'
    written(folder, "pl", f'{GREETING}msgstr "Cześć {{name}}."\n\n{LEFT}{forms}', POLISH_PLURALS)
    assert refused(folder) == []
    changed(folder, "pl", "{count} miejsc.", "Wiele miejsc.")
    assert refused(folder) == ["pl/letter: left: placeholder mismatch, the English has ['count']"]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('"Hallo {name}."', '"Hallo {name.', "cannot be read"),
        ('"Hallo {name}."', '"Hallo {name."', "cannot be read"),
        ("n != 1", "n ! = 1 1", "cannot be read"),
        ('"Hallo {name}."', '""', "missing, not translated yet"),
        ('msgctxt "greeting"', '#, fuzzy\nmsgctxt "greeting"', "fuzzy"),
    ],
)
def test_a_catalog_that_is_broken_or_unfinished_is_refused(folder: Path, before: str, after: str, told: str) -> None:
    changed(folder, "de", before, after)
    (fault,) = refused(folder)
    assert fault.startswith("de/letter: ") and told in fault


@pytest.mark.parametrize("language", ["xx", "deutsch"])
def test_a_folder_that_is_named_for_no_language_is_refused(folder: Path, language: str) -> None:
    (folder / "de").rename(folder / language)
    (fault,) = refused(folder)
    assert fault.startswith(f"{language}: ")


def test_an_english_text_with_a_translation_of_its_own_is_refused(folder: Path) -> None:
    changed(folder, "en", 'msgid "Hello {name}."\nmsgstr ""', 'msgid "Hello {name}."\nmsgstr "Hi {name}."')
    assert refused(folder) == ["en/letter: greeting: English is written in msgid, and its msgstr stays empty"]


def test_an_empty_folder_becomes_a_language_with_its_own_plural_forms(folder: Path) -> None:
    (folder / "pl").mkdir()
    merge(folder)
    made = po_files.read(po_files.path_of(folder, "pl", "letter"))
    assert (made.num_plurals, [message.string for message in po_files.messages(made)]) == (3, ["", ("", "", "")])
    assert len(refused(folder)) == 2


def test_keys_are_named_by_literals_and_by_texts_composed_of_them(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(
        'say(language, "recap")\nsay(language, f"problem-{what}-text")\nWHAT = "called-off"\n'
        'text(language, f"detail-{name}")\n'
        'CODE, CASE = "not-found", "bot"\n'
    )
    (tmp_path / "page.html").write_text(
        '{{ say("tab-" ~ name) }}{{ say(kind ~ "-note") if x == "games" else "guest" }}'
    )
    used = key_usage(tmp_path)
    for key in ("recap", "problem-called-off-text", "tab-games", "guest-note"):
        assert used.names(key)
    for key in ("recapped", "problem-removed-text", "tab-bots", "other-note", "not-found-bot"):
        assert not used.names(key)
    assert used.names("detail-not-found-bot") and not used.names("detail-not-found-seat")
