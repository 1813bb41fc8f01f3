"""The position in one sentence, the panels, the thumbnail, and the result of a finished game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from service.rules.games.bastards_inc.edition import INFLUENCE_WORTH, PRIZE_WORTH
from service.rules.games.bastards_inc.tabletop.symbols import PARTS, PLACE_CLASS, SCORE_CLASS
from service.rules.games.bastards_inc.tabletop.words import named, speaker, speaker_in
from service.rules.games.bastards_inc.terms import SCORES
from service.rules.kernel import Json
from service.rules.kit.turns import following
from service.rules.table_parts import Chip, Emblem, Glimpse, Panel, PointsPart, Result, Status
from service.rules.table_plugin import Sight
from service.rules.tabletop import default_status
from service.rules.tabletop.default_words import LONGEST, SHORTEST


def status(sight: Sight) -> Status:
    """Return the position in a sentence of at most 70 characters, and in one of at most 40."""
    told, seats = speaker(sight), len(sight.view["companies"])
    if sight.outcome is not None and not sight.outcome["winners"]:
        return Status(told.word("nuclear"), told.word("nuclear"))
    if sight.outcome is not None or not sight.mine:
        return default_status.status(sight, seats)
    asked = told.word(f"yours.{sight.view['phase']}", place=told.name((sight.view["arrival"] or {}).get("field", "")))
    sentences = [f"{asked} {_lead(sight)}", asked, told.word("yours.short")]
    return Status(_fitting(sentences, LONGEST), _fitting([asked, told.word("yours.short")], SHORTEST))


def upcoming(sight: Sight) -> list[int]:
    """Return the seats that play before the reader in the business phase; seats that are done are skipped."""
    view, reader = sight.view, sight.viewer
    if sight.outcome is not None or reader is None or sight.mine or view["phase"] != "business":
        return []
    now, seats = view["active"], len(view["companies"])
    return [seat for seat in following(seats, now, reader) if not view["companies"][seat]["done"]]


def _fitting(sentences: Sequence[str], most: int) -> str:
    return next(each for each in sentences if len(each) <= most)


def _lead(sight: Sight) -> str:
    """The reader's worth and the best of the others."""
    worths = [each["worth"] for each in sight.view["companies"]]
    own = worths[sight.viewer or 0]
    best = max(worth for seat, worth in enumerate(worths) if seat != sight.viewer)
    key = "lead" if own > best else "level" if own == best else "behind"
    return speaker(sight).word(key, own=own, best=best)


# Panels: worth, Billions, Influence, the four scores; and the board at a glance.

_GLANCE = ("PTY", "SUP", "NWS", "RST", "TLK", "TIG", "KOR", "ROG", "POO")


def panel(sight: Sight, seat: int) -> Panel:
    """Return the panel of a company; its points are its worth."""
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
    """Return the thumbnail: each field in the colour of the seat with most VPs there, or its own."""
    standing: dict[str, Counter[int]] = {}
    for company in sight.view["companies"]:
        for vp in company["vps"]:
            standing.setdefault(vp["at"], Counter())[company["seat"]] += 1
    return Glimpse(3, tuple(_cell(place, standing.get(place, Counter())) for place in _GLANCE))


def _cell(place: str, crowd: Counter[int]) -> str:
    first = crowd.most_common(2)
    if not first or (len(first) > 1 and first[0][1] == first[1][1]):
        return PLACE_CLASS[place]
    return f"seat-{first[0][0] + 1}"


# How a game has ended: who won, what ended it, and what everybody's worth is made of.


def result(sight: Sight) -> Result:
    """Return the result of a game that is over."""
    parts = tuple(_parts(sight, each) for each in sight.view["companies"])
    return Result(headline=status(sight).sentence, reason=_reason(sight), parts=parts)


def sources(language: str) -> tuple[PointsPart, ...]:
    """Return the parts of a worth: Billions, Influence and the prize."""
    told = speaker_in(language, ())
    return (
        PointsPart(PARTS["billions"], "part-billions", told.word("part.billions"), 0),
        PointsPart(PARTS["influence"], "part-influence", told.word("part.influence"), 0),
        PointsPart("star", "prize", told.word("part.prize"), 0),
    )


def _parts(sight: Sight, company: Json) -> tuple[PointsPart, ...]:
    """Return the parts of a company's worth; none after a nuclear war, but for the Bunker's owner."""
    view, seat = sight.view, company["seat"]
    if not view["result"]["worths"][seat]:
        return ()
    prize = PRIZE_WORTH if view["laureate"] == seat else 0
    counted = company["billions"], INFLUENCE_WORTH * company["influence"], prize
    made = zip(sources(sight.language), counted, strict=True)
    return tuple(part._replace(points=points) for part, points in made if points)


def _reason(sight: Sight) -> str:
    told, view = speaker(sight), sight.view
    reason = view["result"]["reason"]
    if reason == "nuclear-war" and view["result"]["winners"]:
        return told.word("reason.bunker", name=told.player(view["result"]["winners"][0]))
    ended = told.word(f"reason.{reason}", round=view["round"], target=view["target"])
    worths, winners = view["result"]["worths"], view["result"]["winners"]
    tie_broken = reason != "nuclear-war" and worths.count(max(worths)) > len(winners)
    return f"{ended} {told.word('reason.tie')}" if tie_broken else ended
