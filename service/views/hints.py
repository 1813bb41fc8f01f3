"""Hints in words: the move, and what speaks for it."""

from __future__ import annotations

from collections.abc import Sequence

from service.players.hints import Hint, Reason
from service.rules.kernel import AnyRuleset
from service.rules.lookahead import valuation_of
from service.texts.catalog import say
from service.texts.games import in_language


def reasons(ruleset: AnyRuleset, seats: int, hint: Hint, language: str, others: Sequence[str] = ()) -> list[str]:
    """Return what speaks for the move of a hint, each in a few words; `others` are the names of the other seats."""
    best = others[0] if len(others) == 1 else say(language, "hint-best-other")
    return [_reason(ruleset, seats, each, language, best) for each in hint.reasons]


def described(ruleset: AnyRuleset, hint: Hint, seat: int, language: str, names: Sequence[str]) -> str:
    """Return the move of a hint as a sentence."""
    return ruleset.describe(hint.action, seat, language, names)


def _reason(ruleset: AnyRuleset, seats: int, reason: Reason, language: str, best: str) -> str:
    size = f"{round(abs(reason.change), 1):g}"
    if reason.what in {"wins", "better"}:
        return say(language, f"hint-{reason.what}", n=size)
    if reason.what == "points":
        return say(language, "hint-points", n=f"{'+' if reason.change > 0 else '−'}{size}")
    if reason.what == "others":
        # What the best other player loses is told as it changes the points of that one.
        return say(language, "hint-others", name=best, n=f"{'−' if reason.change > 0 else '+'}{size}")
    valuation = valuation_of(ruleset, seats)
    gains_of = {} if valuation is None else valuation.gains
    return in_language(gains_of[reason.what].texts, language).format(n=size)
