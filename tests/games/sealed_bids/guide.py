"""How the game is played, for its page on the site."""

from __future__ import annotations

from service.rules.guide import Chapter, Example, Guide, Term

from .events import LotAwarded, Sealed
from .state import State
from .texts import TEXTS

_FIRST = LotAwarded(lot=1, bids=(Sealed(0, 3), Sealed(1, 11), Sealed(2, None)), dice=(4, 5), seat=1)
_TABLE = State(options={}, hands=((8, 9), (5, 6), (2, 17, 18)), points=(0, 9, 0), lot=2, awarded=(_FIRST,))


def guide(language: str) -> Guide:
    """Return the guide in a language."""
    texts = TEXTS[language]
    example = Example(state=_TABLE, viewer=None, names=("Ada", "Ben", "Cleo"), text=texts["guide-example"])
    chapter = Chapter(name="game", title=texts["guide"], paragraphs=(texts["guide-rule"],), examples=(example,))
    terms = {
        "lot": Term(word=texts["guide-lot"], sentence=texts["guide-lot-means"]),
        "bid": Term(word=texts["guide-bid"], sentence=texts["guide-bid-means"]),
    }
    return Guide(chapters=(chapter,), example=example, terms=terms, actions=("bid",))
