"""Pages and mails have one word for each thing, in each language: that of docs/words.md."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from service.texts import po_files
from service.texts.catalog import languages, text
from tests.docs.rooms import ROOT

WORDS = (ROOT / "docs" / "words.md").read_text()
NAMES = {"English": "en", "German": "de", "French": "fr"}
OTHER_MEANING = {
    *("somebody", "personal", "confirm-asked", "reply-address-asked", "sign-in-asked", "mail-budget"),
    *("lobby-mail-budget", "passkey-copied", "passkeys-copied", "unsubscribe-kind-problem", "changed-not-you"),
    *("changed-not-you-passkey-added", "changed-not-you-passkey-removed", "changed-not-you-app-granted"),
    "changed-not-you-account-deleted",
    *("answer-nothing", "headline-resigned", "sign-in-twice-do"),
}
"""Texts about somebody who is perhaps no player, about a reply that matches, and about giving up."""
QUOTED = "answer-help-say"
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
    assert [key for key, form in texts if "!" in IDENTIFIER.sub("", form)] == [QUOTED]
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
