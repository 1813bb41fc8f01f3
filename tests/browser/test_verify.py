"""A record is checked by the browser itself, with the keys of the service that it comes from."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from service.texts.catalog import keys
from service.texts.po_files import VERIFIER
from tests.browser.chromium import House
from tests.record.records import KEYS, sealed, without_line

DROPPED = """(text) => {
  const dropped = new DataTransfer();
  dropped.items.add(new File([text], "broken.jsonl"));
  return dropped;
}"""


BROKEN_IN = {
    "de": (
        "broken.jsonl: Das Protokoll stimmt NICHT",
        "jede Zeile ist kanonisches JSON mit den Feldern ihrer Art; Zeilen: ",
        "Zeile 7: sie passt nicht zu den Zeilen davor",
    ),
    "fr": (
        "broken.jsonl : l’enregistrement n’est PAS exact",
        "chaque ligne est du JSON canonique, avec les champs de son genre ; lignes : ",
        "ligne 7 : elle ne s’accorde pas avec les lignes qui précèdent",
    ),
}
"""The heading over a record without its seventh line, and what two levels find, by language."""
SEALED_IN = {
    "de": ("unterschrieben mit dem veröffentlichten Schlüssel ", "(01.03.2150, 13:00:00 MEZ)"),
    "fr": ("signé avec la clé publiée ", "(1 mars 2150, 13:00:00 UTC+1)"),
}
"""Parts of the sentence about a seal of this service, by language, for a reader in Berlin."""


@pytest.mark.parametrize("language", BROKEN_IN)
def test_what_is_found_is_said_in_the_language_of_the_reader(
    house: House, chromium: Browser, tmp_path: Path, language: str
) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    whole.write_bytes(sealed())
    broken.write_bytes(without_line(sealed(), 6).data)
    context = chromium.new_context(locale=language, timezone_id="Europe/Berlin")
    page = context.new_page()
    published = json.dumps({"keys": [key.published() for key in KEYS]})
    page.route("**/boardroom-keys.json", lambda route: route.fulfill(body=published, content_type="application/json"))
    page.goto(f"{house.url}/verify")
    page.set_input_files("#record", broken)
    heading, form, chain = BROKEN_IN[language]
    expect(page.locator("#found h2")).to_have_text(heading)
    expect(page.locator("tr[data-level=form] .told")).to_contain_text(form)
    expect(page.locator("tr[data-level=chain] .told")).to_have_text(chain)
    page.set_input_files("#record", whole)
    for said in SEALED_IN[language]:
        expect(page.locator("tr[data-level=seal] .told")).to_contain_text(said)
    assert not set(page.locator(".told").all_text_contents()) & set(keys(VERIFIER))


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_each_record_of_an_export_is_checked(house: House, chromium: Browser, tmp_path: Path, name: str) -> None:
    page = chromium.new_page(locale="en-GB")
    page.goto(f"{house.url}/verify")
    for wrong, second in enumerate([sealed(seed="2"), without_line(sealed(seed="2"), 6).data]):
        data = sealed() + second + sealed(seed="3")
        file = tmp_path / f"{wrong}-{name}"
        file.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        page.set_input_files("#record", file)
        expect(page.locator("#several")).to_have_text(f"Records in this file: 3. Not valid: {wrong}.")
        expect(page.locator("#found h2")).to_contain_text("does NOT hold" if wrong else "the record holds")


def test_a_record_without_an_end_is_said_to_be_too_long(house: House, chromium: Browser, tmp_path: Path) -> None:
    page = chromium.new_page(locale="en-GB")
    page.goto(f"{house.url}/verify")
    for begin in (b"", sealed()):
        file = tmp_path / "bomb.jsonl.gz"
        # 1.5 GB of one line, of which the browser unfolds only what it needs to see that it is too long.
        file.write_bytes(gzip.compress(begin) + gzip.compress(b" " * 1_000_000) * 1_500)
        page.set_input_files("#record", file)
        expect(page.locator("#found h2")).to_have_text(
            "bomb.jsonl.gz: this file cannot be read, or a record in it is longer than 8 MB"
        )
        page.reload()


def test_a_browser_that_can_compute_no_hashes_says_so(house: House, chromium: Browser) -> None:
    context = chromium.new_context(locale="en-GB")
    page = context.new_page()
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    page.goto(f"{house.url}/verify")
    expect(page.locator("#cannot")).to_contain_text("only on pages that come by https")
    expect(page.locator("#record")).to_be_disabled()


def test_a_record_is_checked_by_the_browser_and_sent_nowhere(house: House, chromium: Browser, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    whole.write_bytes(sealed())
    broken.write_bytes(without_line(sealed(), 6).data)
    context = chromium.new_context(locale="en-GB", viewport={"width": 360, "height": 740})
    page, asked, complaints = context.new_page(), [], []
    page.on("request", lambda request: asked.append((request.method, request.post_data)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.goto(f"{house.url}/verify")
    page.set_input_files("#record", whole)
    expect(page.locator("#found h2")).to_have_text("whole.jsonl: the record holds")
    assert page.locator("tr[data-level]:visible .verdict").all_text_contents() == ["holds"] * 4
    expect(page.locator("#keys")).to_contain_text("no seal of this service")
    page.dispatch_event("#drop", "drop", {"dataTransfer": page.evaluate_handle(DROPPED, broken.read_text())})
    expect(page.locator("#found h2")).to_have_text("broken.jsonl: the record does NOT hold")
    expect(page.locator("tr[data-level=chain] .told")).to_contain_text("line 7: ")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert {method for method, _ in asked} == {"GET"} and not any(sent for _, sent in asked) and complaints == []
