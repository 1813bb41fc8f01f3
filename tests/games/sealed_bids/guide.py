"""How it is played."""

from __future__ import annotations

from service.rules.guide import Chapter, Example, Guide, Term
from tests.games.sealed_bids.state import State
from tests.games.sealed_bids.view import view

_TABLE = State(options={}, hands=((3, 8), (5, 11), (2, 17)), points=(0, 0, 0))
_TEXTS = {
    "en": ("The game", "Whoever bids most gets the lot.", "Lot", "What is bid for.", "Nobody has bid yet."),
    "de": (
        "Das Spiel",
        "Wer am meisten bietet, bekommt das Los.",
        "Los",
        "Worum geboten wird.",
        "Noch bot niemand.",
    ),
    "fr": ("Le jeu", "Qui mise le plus gagne le lot.", "Lot", "Ce qui est mis en vente.", "Personne n’a encore misé."),
}
_BIDS = {
    "en": ("Bid", "Give one of your cards for the lot, or none."),
    "de": ("Bieten", "Eine Karte für das Los geben oder keine."),
    "fr": ("Miser", "Donner une carte pour le lot, ou aucune."),
}


def guide(language: str) -> Guide:
    """Return the guide in a language."""
    title, rule, word, sentence, text = _TEXTS[language]
    example = Example(view=view(_TABLE, None), names=("Ada", "Ben", "Cleo"), text=text)
    chapter = Chapter(name="game", title=title, paragraphs=(rule,), examples=(example,))
    bid, how = _BIDS[language]
    terms = {"lot": Term(word=word, sentence=sentence), "bid": Term(word=bid, sentence=how)}
    return Guide(chapters=(chapter,), example=example, terms=terms, actions=("bid",))
