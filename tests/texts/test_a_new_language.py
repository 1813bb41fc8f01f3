"""A language is a folder: a fourth one is spoken by pages, mails and problems without an edit to anything else."""

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
from service.texts.catalog import count, keys, languages, say, text
from service.texts.check import faults
from service.texts.merge import merge
from service.texts.when import moment
from tests.browsing import browser, send
from tests.builders import started
from tests.letters import letters, turn_mails
from tests.people import alice, bob, carol, register
from tests.rest import Caller, refused
from workers.jobs import carry_out

ROOT = Path(__file__).parents[2]
THREE = "nplurals=3; plural=(n==1 ? 0 : n==2 ? 1 : 2);"
DOCUMENT = """
import sys
from pathlib import Path
from service.texts import files
files.LOCALE = Path(sys.argv.pop())
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
    catalog.mime_headers = [("Plural-Forms", THREE)]
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
        assert refused(answer, 404, "unknown-game")["detail"] == f"«{say('en', 'detail-unknown-game')}»"
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
