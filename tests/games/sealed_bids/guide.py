"""How the game is played, for its page on the site."""

from __future__ import annotations

from service.rules.guide import Chapter, Example, Guide, Term

from .state import State
from .texts import TEXTS
from .view import view

_TABLE = State(options={}, hands=((3, 8), (5, 11), (2, 17)), points=(0, 0, 0))


def guide(language: str) -> Guide:
    """Return the guide in a language."""
    texts = TEXTS[language]
    example = Example(view=view(_TABLE, None), names=("Ada", "Ben", "Cleo"), text=texts["guide-example"])
    chapter = Chapter(name="game", title=texts["guide"], paragraphs=(texts["guide-rule"],), examples=(example,))
    terms = {
        "lot": Term(word=texts["guide-lot"], sentence=texts["guide-lot-means"]),
        "bid": Term(word=texts["guide-bid"], sentence=texts["guide-bid-means"]),
    }
    return Guide(chapters=(chapter,), example=example, terms=terms, actions=("bid",))
