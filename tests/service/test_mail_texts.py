"""Every language says everything."""

from __future__ import annotations

from string import Formatter

import pytest

from service.mail.texts import EN, TEXTS, say


def blanks(text: str) -> set[str]:
    """The names of the values that go into a text."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_language_has_every_text_with_the_same_blanks(language: str) -> None:
    theirs = {key: blanks(text) for key, text in TEXTS[language].items()}
    assert theirs == {key: blanks(text) for key, text in EN.items()}


def test_a_language_that_we_do_not_speak_is_answered_in_english() -> None:
    assert say("eo", "played") == EN["played"]
