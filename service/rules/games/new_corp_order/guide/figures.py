"""The chapter with figures from games of computer players, and what they do not say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from service.rules.facts import Facts
from service.rules.games.new_corp_order.facts import FACTS
from service.rules.guide import Chapter
from service.rules.typeset import typeset


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wording:
    """Texts of one language; `sizes` are tables by the number of players."""

    title: str
    limits: str
    sizes: Mapping[int, str]
    of: str


_WORDINGS: Final[Mapping[str, _Wording]] = {
    "en": _Wording(
        title="Figures from games of computer players",
        limits="In these games computer players had all seats. The figures tell how these players play and are no law "
        "of the game: people play otherwise, and a stronger player may need fewer turns or win more points. In 95 of "
        "100 cases such an interval holds the true rate of these players.",
        sizes={2: "Two players", 3: "Three players", 4: "Four players"},
        of="Of {games} games the middle one had {turns} turns, and nine of ten had between {fewest} and {most}. The "
        "middle score was {points} points, and nine of ten were between {least} and {greatest}; the middle score of "
        "the winners was {winner}. The player who began won {rate} of 100 games (interval: {low} to {high}; even: "
        "{even}).",
    ),
    "de": _Wording(
        title="Zahlen aus Partien von Computerspielern",
        limits="In diesen Partien saßen auf allen Plätzen Computerspieler. Die Zahlen sagen, wie diese Spieler "
        "spielen, und sind kein Gesetz des Spiels: Menschen spielen anders, und ein stärkerer Spieler braucht "
        "vielleicht weniger Züge oder holt mehr Punkte. In 95 von 100 Fällen enthält ein solches Intervall den wahren "
        "Anteil dieser Spieler.",
        sizes={2: "Zu zweit", 3: "Zu dritt", 4: "Zu viert"},
        of="Von {games} Partien hatte die mittlere {turns} Züge; neun von zehn hatten zwischen {fewest} und {most}. "
        "Das mittlere Ergebnis waren {points} Punkte; neun von zehn lagen zwischen {least} und {greatest}. Das "
        "mittlere Ergebnis der Sieger waren {winner}. Wer begann, gewann {rate} von 100 Partien (Intervall: {low} bis "
        "{high}; ausgeglichen: {even}).",
    ),
    "fr": typeset(
        _Wording(
            title="Chiffres tirés de parties entre ordinateurs",
            limits="Dans ces parties, l’ordinateur occupait toutes les places. Les chiffres disent comment il joue et "
            "ne sont pas une loi du jeu : les humains jouent autrement, et un joueur plus fort a peut-être besoin de "
            "moins de tours ou marque plus de points. Dans 95 cas sur 100, un tel intervalle contient le vrai taux de "
            "l’ordinateur.",
            sizes={2: "À deux", 3: "À trois", 4: "À quatre"},
            of="Sur {games} parties, la partie médiane a compté {turns} tours, et neuf sur dix entre {fewest} et "
            "{most}. Le score médian était de {points} points, et neuf sur dix étaient entre {least} et {greatest} ; "
            "le score médian des gagnants était de {winner}. Le premier joueur a gagné {rate} parties sur 100 "
            "(intervalle : {low} à {high} ; équilibre : {even}).",
        )
    ),
}


def figures(language: str) -> Chapter:
    """Return the chapter in a language that the guide has."""
    wording = _WORDINGS[language]
    points = {wording.sizes[size]: _told(wording, size, facts) for size, facts in FACTS.items()}
    return Chapter(name="figures", title=wording.title, paragraphs=(wording.limits,), points=points)


def _told(wording: _Wording, size: int, facts: Facts) -> str:
    (fewest, turns, most), (least, points, greatest), (rate, low, high) = facts.turns, facts.scores, facts.first
    return wording.of.format(
        games=facts.games, fewest=fewest, turns=turns, most=most, least=least, points=points, greatest=greatest,
        winner=facts.winner, rate=rate, low=low, high=high, even=round(100 / size),
    )  # fmt: skip
