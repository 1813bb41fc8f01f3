"""The catalogs of the service: what `make texts` does to them, and what `make lint` refuses."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from service.texts import po_files
from service.texts.__main__ import main
from service.texts.check import faults, key_usage
from service.texts.merge import merge

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: {formula}\\n"\n\n'
TWO = "nplurals=2; plural=(n != 1);"
THREE = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"
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


def written(folder: Path, language: str, entries: str, formula: str = TWO) -> None:
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
    written(folder, "pl", f'{GREETING}msgstr "Cześć {{name}}."\n\n{LEFT}{forms}', THREE)
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
