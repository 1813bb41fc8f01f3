"""What is no line of notation, in any game."""

from __future__ import annotations

import pytest

from service.rules.kernel import AnyRuleset, Unreadable
from tests.rules.playouts import TRIED


@pytest.mark.parametrize("ruleset", TRIED.values(), ids=TRIED)
@pytest.mark.parametrize(
    "words",
    [
        *("castle", "Thanks", "TOMORROW", "dice", "Pizza!", "abba", "gmail", "xbox", "small", "Infinity", "hi"),
        *("Hallo", "Danke", "Spielzug", "Bürostuhl", "bonjour", "Merci", "C'est à vous", "«château»", "P.S.", "🎲"),
    ],
)
def test_words_that_are_no_notation_are_refused_and_quoted_as_they_were_typed(ruleset: AnyRuleset, words: str) -> None:
    for typed in (words, words.upper(), f"  {words} "):
        with pytest.raises(Unreadable) as refusal:
            ruleset.parse(typed)
        assert typed.strip() in str(refusal.value)
