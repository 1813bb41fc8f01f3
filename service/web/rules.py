"""The pages of the rules: the guide of a ruleset, with its pictures and its terms."""

from __future__ import annotations

from functools import partial

from flask import Response, make_response, url_for

from service.rules.kernel import AnyRuleset
from service.rules.pace import PACES
from service.texts.names import spoken_of
from service.texts.paces import PACE_NAMES, pace_text
from service.views import guide as views
from service.web.blueprint import web
from service.web.page import current_runtime, unknown_page
from service.web.session import language, missing_page, page, see_other

PICTURE_AGE = "public, max-age=86400"


@web.get("/rules")
def rules() -> Response:
    """List the rulesets; redirect to the rules if there is only one."""
    rulesets = current_runtime().games.rulesets
    if len(rulesets) == 1:
        return see_other(url_for("web.rules_of", ruleset=next(iter(rulesets))))
    return page("all_rules.html", metas=[each.meta for each in rulesets.values()])


@web.get("/rules/<ruleset>")
def rules_of(ruleset: str) -> Response:
    """Show the rules of a ruleset."""
    known = current_runtime().games.rulesets.get(ruleset)
    if known is None:
        return missing_page()
    spoken = spoken_of(known.meta, language())
    guide = views.guide(known, spoken, partial(_address, ruleset, spoken))
    return page("rules.html", guide=guide, meta=known.meta)


@web.get("/pace")
def clock_guide() -> Response:
    """Explain how time is counted: pace, wait, bank, deadline, lapse."""
    spoken = language()
    return page("clock_guide.html", paces=[pace_text(spoken, PACES.get(name)) for name in PACE_NAMES])


def at_a_glance(ruleset: AnyRuleset) -> dict[str, str]:
    """Return the picture that shows the game at a glance: `href`, `caption` and `text`."""
    spoken = spoken_of(ruleset.meta, language())
    return views.at_a_glance(ruleset, spoken, partial(_address, ruleset.meta.name, spoken))


@web.get("/rules/<ruleset>/<spoken>/<int:number>.svg")
def rules_picture(ruleset: str, spoken: str, number: int) -> Response:
    """Return the picture of an example by its number as SVG; 0 is the game at a glance."""
    known = current_runtime().games.rulesets.get(ruleset)
    picture = views.picture_svg(known, spoken, number) if known and spoken in known.meta.languages else None
    if picture is None:
        return unknown_page()
    response = make_response(picture)
    response.headers.update({"Content-Type": "image/svg+xml; charset=utf-8", "Cache-Control": PICTURE_AGE})
    return response


def _address(ruleset: str, spoken: str, number: int) -> str:
    return url_for("web.rules_picture", ruleset=ruleset, spoken=spoken, number=number)
