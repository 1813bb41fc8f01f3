"""Panels: worth, Billions, Influence, the four scores; and the board at a glance."""

from __future__ import annotations

from collections import Counter

from service.rules.contributions import Sight
from service.rules.games.bastards_inc.tabletop.card_faces import SCORE_CLASS
from service.rules.games.bastards_inc.tabletop.effects import named
from service.rules.games.bastards_inc.tabletop.looks import CLASS
from service.rules.games.bastards_inc.tabletop.words import speaker
from service.rules.games.bastards_inc.terms import SCORES
from service.rules.kernel import Json
from service.rules.shapes import Chip, Emblem, Glimpse, Panel

_GLANCE = ("PTY", "SUP", "NWS", "RST", "TLK", "TIG", "KOR", "ROG", "POO")


def panel(sight: Sight, seat: int) -> Panel:
    """Return what a company has; its worth is what it counts in the end."""
    company, result = sight.view["companies"][seat], sight.view["result"]
    return Panel(
        points=company["worth"] if result is None else result["worths"][seat],
        line=_line(sight, company),
        chips=(*_money(sight, company), *_scores(sight, company)),
        emblems=tuple(_emblems(sight, company))[:6],
    )


def _line(sight: Sight, company: Json) -> str:
    told = speaker(sight)
    black = sum(vp["black"] for vp in company["vps"])
    parts = [
        told.name(company["plan"]),
        told.counted("vps", len(company["vps"])),
        told.counted("cards", company["cards"]),
    ]
    parts += [told.word("black", n=black)] if black else []
    return "\N{NO-BREAK SPACE}· ".join(parts)


def _money(sight: Sight, company: Json) -> list[Chip]:
    told = speaker(sight)
    pair = (("billions", "c4", company["billions"]), ("influence", "c2", company["influence"]))
    return [Chip(look, name, n, None, told.counted(name, n)) for name, look, n in pair]


def _scores(sight: Sight, company: Json) -> list[Chip]:
    told, scores = speaker(sight), company["scores"]
    return [
        Chip(SCORE_CLASS[each], f"score-{each}", scores[each], None, f"{told.name(each)} {scores[each]}")
        for each in SCORES
    ]


def _emblems(sight: Sight, company: Json) -> list[Emblem]:
    told, view = speaker(sight), sight.view
    marks = (("start-player", "start_player"), ("prize", "laureate"), ("bunker", "bunker"))
    held = [Emblem(symbol, told.word(symbol)) for symbol, key in marks if view[key] == company["seat"]]
    return held + [Emblem(f"card-{each['card']}", named(told, each["card"])) for each in company["portfolio"]]


def glimpse(sight: Sight) -> Glimpse:
    """Return the fields as a pyramid: each in the colour of the seat with most vice presidents there, or its own."""
    standing: dict[str, Counter[int]] = {}
    for company in sight.view["companies"]:
        for vp in company["vps"]:
            standing.setdefault(vp["at"], Counter())[company["seat"]] += 1
    return Glimpse(3, tuple(_cell(place, standing.get(place, Counter())) for place in _GLANCE))


def _cell(place: str, crowd: Counter[int]) -> str:
    first = crowd.most_common(2)
    if not first or (len(first) > 1 and first[0][1] == first[1][1]):
        return CLASS[place]
    return f"seat-{first[0][0] + 1}"
