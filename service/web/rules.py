"""The rules of a game in own words, with pictures, and its terms; all of it comes from the ruleset."""

from __future__ import annotations

from functools import partial

from flask import Response, make_response, url_for

from service.rules.kernel import AnyRuleset
from service.views import guide as views
from service.views.table import spoken_of
from service.web.blueprint import web
from service.web.page import runtime, unknown_page
from service.web.session import go_to, language, missing_page, page

PICTURE_AGE = "public, max-age=86400"


@web.get("/rules")
def rules() -> Response:
    """Show which games there are; a single one's rules at once."""
    rulesets = runtime().games.rulesets
    if len(rulesets) == 1:
        return go_to(url_for("web.rules_of", ruleset=next(iter(rulesets))))
    return page("all_rules.html", metas=[each.meta for each in rulesets.values()])


@web.get("/rules/<ruleset>")
def rules_of(ruleset: str) -> Response:
    """Show the rules of a game."""
    found = runtime().games.rulesets.get(ruleset)
    if found is None:
        return missing_page()
    spoken = spoken_of(found, language())
    return page("rules.html", guide=views.guide(found, spoken, partial(_address, ruleset, spoken)))


def at_a_glance(ruleset: AnyRuleset) -> dict[str, str]:
    """Return the picture that shows what the game looks like: `href`, `caption` and `text`."""
    spoken = spoken_of(ruleset, language())
    return views.at_a_glance(ruleset, spoken, partial(_address, ruleset.meta.name, spoken))


@web.get("/rules/<ruleset>/<spoken>/<int:number>.svg")
def rules_picture(ruleset: str, spoken: str, number: int) -> Response:
    """Return the picture of an example by its number; 0 shows the game at a glance."""
    found = runtime().games.rulesets.get(ruleset)
    drawn = views.painted(found, spoken, number) if found and spoken in found.meta.languages else None
    if drawn is None:
        return unknown_page()
    answer = make_response(drawn)
    answer.headers.update({"Content-Type": "image/svg+xml; charset=utf-8", "Cache-Control": PICTURE_AGE})
    return answer


def _address(ruleset: str, spoken: str, number: int) -> str:
    return url_for("web.rules_picture", ruleset=ruleset, spoken=spoken, number=number)
