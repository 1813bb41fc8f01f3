"""Status of a game in one sentence, its result, and the panel of each player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.rules.games.new_corp_order.grid import COLUMNS
from service.rules.games.new_corp_order.tabletop.choices import kinds
from service.rules.games.new_corp_order.tabletop.draw import objectives
from service.rules.games.new_corp_order.tabletop.symbols import COLOUR_CLASSES
from service.rules.games.new_corp_order.tabletop.words import CONGLOMERATES, counted, one_of, speaker, word, word_in
from service.rules.games.new_corp_order.terms import ALL_CONSULTANTS, COLOURS, HAND_LIMIT, ODS, Colour
from service.rules.kernel import Json
from service.rules.kit.turns import following
from service.rules.table_parts import Chip, Emblem, Glimpse, Panel, PointsPart, Result, Status
from service.rules.table_plugin import Sight
from service.rules.tabletop.default_words import LONGEST, SHORTEST

_NAMES = (24, 16, 12, 8, 5)
"""Longest names of players, tried from the first on until the sentence fits."""


def status(sight: Sight) -> Status:
    """Return the position in a sentence of at most 70 characters, and in one of at most 40."""
    if sight.outcome is not None:
        return Status(_over(sight, LONGEST), _over(sight, SHORTEST))
    if sight.mine:
        asked = _asked(sight)
        told = [f"{asked} {_lead(sight)}".rstrip(), asked]
        return Status(_fitting(told, LONGEST), word(sight, "yours.short"))
    waiting = [word(sight, "theirs", name=_due(sight, longest)) for longest in _NAMES]
    short = [word(sight, "theirs.short", name=_due(sight, longest)) for longest in _NAMES]
    return Status(_fitting(waiting, LONGEST), _fitting(short, SHORTEST))


def upcoming(sight: Sight) -> list[int]:
    """Return the seats after the one whose turn it is, up to the reader; ODS follows the player at once."""
    if sight.outcome is not None or sight.view["solo"] is not None or sight.viewer is None or sight.mine:
        return []
    return following(len(sight.names), sight.view["turn"]["seat"], sight.viewer)


def _fitting(sentences: Sequence[str], most: int) -> str:
    return next(each for each in sentences if len(each) <= most)


def _due(sight: Sight, longest: int) -> str:
    return speaker(sight, longest).name(sight.view["turn"]["seat"])


def _asked(sight: Sight) -> str:
    voice, turn = speaker(sight), sight.view["turn"]
    if turn["phase"] == "turn":
        return word(sight, "yours", kinds=one_of(sight, [each.word for each in kinds(sight)]))
    if turn["phase"] == "ability":
        taken = next(each for each in sight.view["grid"]["companies"] if each["square"] == turn["taken_over"])
        return word(sight, "ability", type=voice.type(taken["type"]))
    if turn["phase"] == "discard":
        above = sum(sight.view["you"]["hand"].values()) - HAND_LIMIT
        return word(sight, "discard", cards=voice.number("cards", above))
    return word(sight, turn["phase"])


def _lead(sight: Sight) -> str:
    """The reader's points and those of the best other, as far as the reader knows; nothing while nobody has any."""
    if objectives(sight.view) is None:
        return ""
    totals = [each["total"] for each in sight.standings["seats"]]
    own = totals[sight.viewer or 0]
    best = max(each for seat, each in enumerate(totals) if seat != sight.viewer)
    if not any(totals):
        return ""
    key = "lead" if own > best else "level" if own == best else "behind"
    return word(sight, key, scores=f"{own}{word(sight, 'against')}{best}")


def _over(sight: Sight, most: int) -> str:
    outcome = sight.outcome
    if outcome is None or outcome["scores"] is None:
        return word(sight, "over")
    won, points = list(outcome["winners"]), outcome["scores"]
    order = sorted(range(len(points)), key=lambda seat: (seat not in won, -points[seat]))
    sums = word(sight, "to").join(str(points[seat]) for seat in order)
    if won == [sight.viewer]:
        return word(sight, "you-win", scores=sums)
    if sight.viewer is not None and len(points) == 2 and len(won) == 1:
        return word(sight, "you-lose", scores=word(sight, "to").join(map(str, sorted(points))))
    told = [_won(sight, won, sums, longest) for longest in _NAMES]
    return _fitting([*told, word(sight, "over")], most)


def _won(sight: Sight, won: Sequence[int], sums: str, longest: int) -> str:
    voice = speaker(sight, longest)
    names = [voice.name(seat) for seat in won]
    return (
        word(sight, "wins", name=names[0], scores=sums)
        if len(won) == 1
        else word(sight, "share", names=voice.all_of(names))
    )


# The result: who won, what decided, and where the points come from.


def result(sight: Sight) -> Result:
    """Return the result of a game that is over."""
    seats = sight.standings["seats"]
    parts = tuple(_solo_parts(sight, each) if sight.view["solo"] else _parts(sight, each) for each in seats)
    reason = _solo_reason(sight) if sight.view["solo"] else _reason(sight)
    return Result(headline=status(sight).sentence, reason=reason, parts=parts)


def sources(language: str) -> tuple[PointsPart, ...]:
    """Return what points are made of in a game among people, in the order of `_by_source`."""
    return (
        *(PointsPart(COLOUR_CLASSES[colour], f"sign-{colour}", CONGLOMERATES[colour], 0) for colour in COLOURS),
        PointsPart("star", "star", word_in(language, "part.objectives"), 0),
        PointsPart("c6", "consultant-dealmaker", word_in(language, "part.consultants"), 0),
    )


def _parts(sight: Sight, told: Json) -> tuple[PointsPart, ...]:
    made = zip(sources(sight.language), _by_source(told).values(), strict=True)
    return tuple(part._replace(points=points) for part, points in made if points)


def _solo_parts(sight: Sight, told: Json) -> tuple[PointsPart, ...]:
    total = told["total"]
    return (PointsPart("star", "star", word(sight, "part.solo"), total),) if total else ()


def _solo_reason(sight: Sight) -> str:
    won = _winners(sight)[0]
    points = [each["total"] for each in sight.standings["seats"]]
    if points[0] != points[ODS]:
        return word(sight, "by-solo", points=points[won], others=points[1 - won])
    agents = [each["agents"] for each in sight.standings["seats"]]
    if won == 0:
        return word(sight, "by-agents", points=agents[0], others=agents[ODS])
    return word(sight, "by-solo-tie")


def _winners(sight: Sight) -> list[int]:
    return [] if sight.outcome is None else list(sight.outcome["winners"])


def _reason(sight: Sight) -> str:
    """Return the source of points that made most of the difference between the winner and the best of the others."""
    won, seats = _winners(sight), sight.standings["seats"]
    if len(won) > 1:
        return word(sight, "by-nothing")
    best = max((each for each in seats if each["seat"] not in won), key=lambda each: (each["total"], _agents(each)))
    winner = seats[won[0]]
    if winner["total"] == best["total"]:
        return word(sight, "by-agents", points=_agents(winner), others=_agents(best))
    ours, theirs = _by_source(winner), _by_source(best)
    source = max(ours, key=lambda name: ours[name] - theirs[name])
    fields: dict[str, Any] = {"points": ours[source], "others": theirs[source]}
    if source in {"objectives", "consultants"}:
        return word(sight, f"by-{source}", **fields)
    return word(sight, "by-colour", name=next(name for each, name in CONGLOMERATES.items() if each == source), **fields)


def _by_source(told: Json) -> Mapping[str, int]:
    colours: dict[str, int] = {colour: told["conglomerates"][colour]["vp"] for colour in COLOURS}
    return {**colours, "objectives": told["objectives"]["vp"] or 0, "consultants": told["consultants"]["vp"]}


def _agents(told: Json) -> int:
    return sum(row["agents"] for row in told["conglomerates"].values())


# Panels: points, shares of each conglomerate, consultants; and the thumbnail of the grid.

MOST_CHIPS = 6
"""The most chips, and the most small symbols, on a panel."""


def panel(sight: Sight, seat: int) -> Panel:
    """Return what a seat has; in games of two and more the objectives of others are secret until the game is over."""
    view, player = sight.view, sight.view["players"][seat]
    told = sight.standings["seats"][seat]
    return Panel(
        points=told["total"],
        secret=view["solo"] is None and told["objectives"]["types"] is None,
        line=_panel_line(sight, seat, player),
        chips=tuple(chip for each in COLOURS if (chip := _chip(sight, player["hq"], each)) is not None),
        emblems=tuple(_emblems(sight, player))[:MOST_CHIPS],
    )


def _emblems(sight: Sight, player: Json) -> Iterator[Emblem]:
    """Yield the objectives of a seat when the game is over, and its consultants; in solo the board shows them."""
    if sight.view["solo"] is not None:
        return
    voice, held = speaker(sight), player["hq"]["consultants"]
    if sight.view["result"] is not None:
        yield from (Emblem(f"type-{each}", voice.type(each)) for each in player["objectives"])
    for each in ALL_CONSULTANTS:
        yield from [Emblem(f"consultant-{each}", voice.consultant(each))] * held.get(each, 0)


def _panel_line(sight: Sight, seat: int, player: Json) -> str:
    solo = sight.view["solo"]
    if solo is None and sight.view["result"] is not None:
        return word(sight, "held-objectives", types=", ".join(map(speaker(sight).type, player["objectives"])))
    if solo is None:
        return speaker(sight).number("cards", player["hand"])
    return " · ".join(CONGLOMERATES[each] for each in solo["colours"][seat]) if solo["colours"] else ""


def _chip(sight: Sight, hq: Json, colour: Colour) -> Chip | None:
    able, rotated, agents = (hq[pile][colour] for pile in ("cards", "rotated", "agents"))
    shares = able + rotated + 2 * agents
    if not shares:
        return None
    voice = speaker(sight)
    fields = {"cards": voice.number("cards", able + rotated), "agents": voice.number("agents", agents), "able": able}
    title = counted(sight, "shares", shares, name=CONGLOMERATES[colour], **fields)
    return Chip(COLOUR_CLASSES[colour], f"sign-{colour}", shares, able, title)


def glimpse(sight: Sight) -> Glimpse:
    """Return the colour of each company, row by row."""
    return Glimpse(len(COLUMNS), tuple(COLOUR_CLASSES[each["colour"]] for each in sight.view["grid"]["companies"]))
