"""The texts of the guide in one language; all mappings have the same keys in every language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """Texts. Empty lines part the paragraphs of `chapters`; `points` are explained by chapter, `words` by `sentences`.

    `examples` explain pictures. Numbers of the edition stand in braces, such as {vp_price}.
    """

    goal: str
    names: tuple[str, ...]
    titles: Mapping[str, str]
    chapters: Mapping[str, str]
    points: Mapping[str, Mapping[str, str]]
    examples: Mapping[str, str]
    words: Mapping[str, str]
    sentences: Mapping[str, str]
    shorts: Mapping[str, str]
