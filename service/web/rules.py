"""The rules of a game in own words, with pictures, and its terms; all of it comes from the ruleset."""

from __future__ import annotations

from itertools import count

from flask import Response, make_response, url_for

from service.rules.guide import Example
from service.rules.kernel import AnyRuleset
from service.web.answers import runtime, unknown_page
from service.web.session import go_to, language, missing_page, page

PICTURE_AGE = "public, max-age=86400"


def rules() -> Response:
    """Show which games there are; a single one's rules at once."""
    rulesets = runtime().games.rulesets
    if len(rulesets) == 1:
        return go_to(url_for("web.rules_of", ruleset=next(iter(rulesets))))
    return page("all_rules.html", metas=[each.meta for each in rulesets.values()])


def rules_of(ruleset: str) -> Response:
    """Show the rules of a game."""
    found = runtime().games.rulesets.get(ruleset)
    if found is None:
        return missing_page()
    spoken = _spoken(found)
    guide, numbers = found.guide(spoken), count(1)
    return page(
        "rules.html",
        meta=found.meta,
        chapters=[
            (chapter, [_shown(found, spoken, example, next(numbers)) for example in chapter.examples])
            for chapter in guide.chapters
        ],
        terms=sorted(guide.terms.items(), key=lambda each: each[1].word.casefold()),
    )


def at_a_glance(ruleset: AnyRuleset) -> dict[str, str]:
    """Return the picture that shows what the game looks like: `address`, `caption` and `text`."""
    spoken = _spoken(ruleset)
    return _shown(ruleset, spoken, ruleset.guide(spoken).example, 0)


def rules_picture(ruleset: str, spoken: str, number: int) -> Response:
    """Return the picture of an example by its number; 0 shows the game at a glance."""
    found = runtime().games.rulesets.get(ruleset)
    if found is None or spoken not in found.meta.languages:
        return unknown_page()
    examples = _examples(found, spoken)
    if number >= len(examples):
        return unknown_page()
    example = examples[number]
    answer = make_response(found.paint(example.view, spoken, example.names))
    answer.headers.update({"Content-Type": "image/svg+xml; charset=utf-8", "Cache-Control": PICTURE_AGE})
    return answer


def _spoken(ruleset: AnyRuleset) -> str:
    wished = language()
    return wished if wished in ruleset.meta.languages else ruleset.meta.languages[0]


def _shown(ruleset: AnyRuleset, spoken: str, example: Example, number: int) -> dict[str, str]:
    address = url_for("web.rules_picture", ruleset=ruleset.meta.name, spoken=spoken, number=number)
    caption = ruleset.caption(example.view, spoken, example.names)
    return {"address": address, "caption": caption, "text": example.text}


def _examples(ruleset: AnyRuleset, spoken: str) -> list[Example]:
    guide = ruleset.guide(spoken)
    return [guide.example, *(example for chapter in guide.chapters for example in chapter.examples)]
