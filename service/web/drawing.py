"""A table drawn for a page: as a picture, as text, and in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from service.rules.kernel import AnyRuleset, Json

_NAMESPACE: Final = ' xmlns="http://www.w3.org/2000/svg"'


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table as its viewer sees it: the picture as SVG for the inside of a page, the board as text, a caption."""

    picture: Markup
    text: str
    caption: str


def drawn(ruleset: AnyRuleset, view: Json, language: str, names: Sequence[str]) -> Drawn:
    """Return a view of a table as its ruleset draws it, in a language that the ruleset has."""
    return Drawn(
        inline_picture(ruleset, view, language, names),
        ruleset.draw(view, language, names).rstrip(),
        ruleset.caption(view, language, names),
    )


def inline_picture(ruleset: AnyRuleset, view: Json, language: str, names: Sequence[str]) -> Markup:
    """Return the picture of a view as an SVG element; within a page no namespace has to be declared."""
    # The ruleset's painter escapes the players' names.
    return Markup(ruleset.paint(view, language, names).replace(_NAMESPACE, "", 1))  # noqa: S704 # a ruleset's own
