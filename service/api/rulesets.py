"""What there is to play, and how it is played."""

from __future__ import annotations

from typing import Any

from flask import Response

from schemas.lobby import Guide, GuideWanted, Rulesets
from service.api.auth import guard, runtime
from service.api.contract import PREFIX, Answers, Resource
from service.http.responses import PRIVATE, as_json
from service.rules.kernel import AnyRuleset
from service.shared.refusal import NotFound
from service.texts.games import game_language
from service.views.guide import guide, picture_svg
from service.views.lobby import rulesets as shown_rulesets

rulesets = Resource("rulesets", __name__, description="What there is to play.")
guard(rulesets)

_AGE = "public, max-age=86400"
_LANGUAGE = {"Content-Language": "The language of the texts."}


@rulesets.operation("/rulesets", Answers(schema=Rulesets, compressed=True), public=True)
def list_rulesets() -> Response:
    """List every kind of game, with its seats, languages and options."""
    return as_json({"items": shown_rulesets(runtime().games.rulesets)})


@rulesets.operation(
    "/rulesets/<name>/guide",
    Answers(schema=Guide, headers=_LANGUAGE, compressed=True),
    refuses=(404,),
    public=True,
    query=GuideWanted,
)
def get_guide(wanted: dict[str, Any], name: str) -> Response:
    """Show how a game is played, as the site's own page of its rules does: chapters with pictures, and the terms.

    `name` is that of the ruleset.
    """
    ruleset, language = _spoken(name, wanted)

    def address(number: int) -> str:
        return f"{PREFIX}/rulesets/{name}/guide/pictures/{number}.svg?language={language}"

    return as_json(guide(ruleset, language, address), headers={**PRIVATE, "Content-Language": language})


@rulesets.operation(
    "/rulesets/<name>/guide/pictures/<int:number>.svg",
    Answers(schema={"type": "string"}, content_type="image/svg+xml", headers=_LANGUAGE),
    refuses=(404,),
    public=True,
    query=GuideWanted,
)
def draw_guide_picture(wanted: dict[str, Any], name: str, number: int) -> Response:
    """Draw a picture of the rules as SVG; 0 shows the game at a glance, and the guide tells the addresses of all."""
    ruleset, language = _spoken(name, wanted)
    drawn = picture_svg(ruleset, language, number)
    if drawn is None:
        raise NotFound("picture")
    return Response(drawn, headers={"Cache-Control": _AGE, "Content-Language": language}, mimetype="image/svg+xml")


def _spoken(name: str, wanted: dict[str, Any]) -> tuple[AnyRuleset, str]:
    """Return the ruleset of a name, and the language in which to explain it; NotFound."""
    found = runtime().games.rulesets.get(name)
    if found is None:
        raise NotFound("ruleset")
    return found, game_language(found.meta, wanted.get("language"))
