"""The position in one sentence: whose move it is, what is asked, and who leads."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.contributions import Sight
from service.rules.games.bastards_inc.tabletop.words import speaker
from service.rules.kit.turns import following
from service.rules.shapes import Status
from service.rules.tabletop import plain_scores
from service.rules.tabletop.plain_words import LONGEST, SHORTEST


def status(sight: Sight) -> Status:
    """Return the position in a sentence of at most 70 characters, and in one of at most 40."""
    told, seats = speaker(sight), len(sight.view["companies"])
    if sight.outcome is not None and not sight.outcome["winners"]:
        return Status(told.word("nuclear"), told.word("nuclear"))
    if sight.outcome is not None or not sight.mine:
        return plain_scores.status(sight, seats)
    asked = told.word(f"yours.{sight.view['phase']}", place=told.name((sight.view["arrival"] or {}).get("field", "")))
    sentences = [f"{asked} {_lead(sight)}", asked, told.word("yours.short")]
    return Status(_fitting(sentences, LONGEST), _fitting([asked, told.word("yours.short")], SHORTEST))


def upcoming(sight: Sight) -> list[int]:
    """Return the seats after the one whose turn it is in the business phase, up to the reader; who is done passes."""
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
