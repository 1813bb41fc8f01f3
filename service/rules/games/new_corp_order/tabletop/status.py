"""The position in one sentence: whose move it is, what is asked, and who leads."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.contributions import Sight
from service.rules.games.new_corp_order.state_of_play import objectives
from service.rules.games.new_corp_order.tabletop.choices import kinds
from service.rules.games.new_corp_order.tabletop.words import one_of, speaker, word
from service.rules.games.new_corp_order.terms import HAND_LIMIT
from service.rules.kit.turns import following
from service.rules.shapes import Status
from service.rules.tabletop.plain_words import LONGEST, SHORTEST

_NAMES = (24, 16, 12, 8, 5)
"""How long players' names may be: as long as there is room."""


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
