"""The pages of the rules: the guide of a ruleset, with its pictures and its terms."""

from __future__ import annotations

from flask import Response, url_for

from service.rules.pace import PACES
from service.texts.catalog import say
from service.texts.games import PACE_NAMES, game_language, in_language, pace_text
from service.web.blueprint import web
from service.web.compression import compress_page
from service.web.page import current_runtime
from service.web.session import language, missing_page, page, see_other
from service.web.taught import symbols_of, taught


@web.get("/rules")
def rules() -> Response:
    """List the rulesets; redirect to the rules if there is only one."""
    rulesets = current_runtime().games.rulesets
    if len(rulesets) == 1:
        return see_other(url_for("web.rules_of", ruleset=next(iter(rulesets))))
    return page("all_rules.html", description=say(language(), "start"), metas=[each.meta for each in rulesets.values()])


@web.get("/rules/<ruleset>")
def rules_of(ruleset: str) -> Response:
    """Show the rules of a ruleset."""
    known = current_runtime().games.rulesets.get(ruleset)
    if known is None:
        return missing_page()
    spoken = game_language(known.meta, language())
    guide = known.guide(spoken)
    response = page(
        "rules.html",
        description=in_language(known.meta.summary, spoken),
        meta=known.meta,
        chapters=[(each, taught(known, spoken, each)) for each in guide.chapters],
        terms=guide.listed_terms(),
        symbols=symbols_of(known, spoken),
    )
    compress_page(response)
    return response


@web.get("/pace")
def clock_guide() -> Response:
    """Explain how time is counted: pace, wait, bank, deadline, lapse."""
    spoken = language()
    return page("clock_guide.html", paces=[pace_text(spoken, PACES.get(name)) for name in PACE_NAMES])
