"""The terms of a game in a text: each becomes a button that opens its explanation, also without a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from markupsafe import Markup, escape

from service.rules.guide import Guide, Term

ENDINGS = ("", "s", "e", "n", "en", "es")
_CHANGED = {"y": "ies", "a": "en"}
"""Last letters that the plural replaces, and what replaces them."""
_STOPS = re.compile(r"[.,;:!?…)]+")
_BUTTON = '<button type="button" class="term" popovertarget="term-{}">{}</button>'
_WHOLE = '<span class="whole">{}{}</span>'
"""Browsers may break a line after any button; this keeps a button and the punctuation behind it together."""

Marker = Callable[[str], Markup]


class Glossary:
    """The terms of a game in one language."""

    def __init__(self, terms: Mapping[str, Term]) -> None:
        self.terms = terms
        self._names = {form.lower(): name for name, term in terms.items() for form in _forms(term)}
        longest_first = sorted(map(re.escape, self._names), key=len, reverse=True)
        # In lower case, since a search that ignores case takes five times as long.
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)") if terms else None

    def marker(self) -> Marker:
        """Return a function that marks terms in texts; over all texts that it gets, it marks each term only once."""
        seen: set[str] = set()
        return lambda text: self._marked(text, seen)

    def _marked(self, text: str, seen: set[str]) -> Markup:
        pieces, done = [], 0
        for match in self._pattern.finditer(_lowered(text)) if self._pattern else ():
            name, (start, end) = self._names[match[0]], match.span()
            if name not in seen:
                seen.add(name)
                button, stops = _BUTTON.format(name, escape(text[start:end])), _STOPS.match(text, end)
                pieces += [escape(text[done:start]), _WHOLE.format(button, stops[0]) if stops else button]
                done = stops.end() if stops else end
        return Markup("".join([*pieces, escape(text[done:])]))  # noqa: S704 # all text is escaped


@lru_cache(maxsize=64)
def glossary(guide: Callable[[str], Guide], language: str) -> Glossary:
    """Return the terms of a ruleset's guide in a language."""
    return Glossary(guide(language).terms)


def _lowered(text: str) -> str:
    """Return the text in lower case, or unchanged if that would change its length."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text


def _forms(term: Term) -> Iterator[str]:
    word = term.word
    if term.short is not None:
        yield term.short
    yield from (word + ending for ending in ENDINGS)
    if word[-1] in _CHANGED:
        yield word[:-1] + _CHANGED[word[-1]]
