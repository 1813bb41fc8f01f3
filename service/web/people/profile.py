"""Profile of a player with ratings, and its forms: friend, challenge, block, ignore, report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any
from uuid import UUID

from babel.dates import format_date
from flask import Response, url_for
from markupsafe import Markup

from service.competition.ratings import INITIAL_NUMBER
from service.handlers.people import BySeat, PlayerRef, ask_friend, block_player, find_handle, ignore_player
from service.handlers.reports import complain_of_profile
from service.handlers.transaction import transaction
from service.http.problems import reason
from service.rules.svg import Svg, element, said
from service.shared import clock
from service.shared.refusal import NotFound, Refusal
from service.store.games import Games
from service.texts.catalog import count, say
from service.texts.locales import locale_of, number
from service.texts.when import duration_text
from service.views.people import between, profile_by_handle
from service.web.blueprint import web
from service.web.lobby.challenges import challenge_player
from service.web.local_time import shown_day
from service.web.page import admitted, budget, current_runtime
from service.web.people.reports import BAD_WORDS, MAX_REPORT_LENGTH, reported, typed
from service.web.play.board_overlays import signed
from service.web.session import NOBODY, Visitor, current_visitor, language, missing_page, page, see_other, signed_in


@web.get("/players/<handle>")
def show_player(handle: str) -> Response:
    """Show the profile of the player with the handle, as far as the player allows; for everybody."""
    return _profile_page(handle)


@web.post("/players/<handle>/<any(friend, block, ignore):act>")
@signed_in
def decide_on_player(visitor: Visitor, handle: str, act: str) -> Response:
    """Send a friend request to the player, or block or ignore the player, and show the visitor's lists."""
    return _decided(visitor, handle, act, lambda refusal: _profile_page(handle, refusal))


@web.post("/games/<uuid:game_id>/seats/<int:seat>/<any(block, ignore):act>")
@signed_in
def decide_on_seat(visitor: Visitor, game_id: UUID, seat: int, act: str) -> Response:
    """Block or ignore the player in a seat, who may have no handle, and show the visitor's lists."""
    return _decided(visitor, BySeat(game_id, seat), act, lambda _: missing_page())


@web.post("/players/<handle>/challenge")
@signed_in
def challenge_profile(visitor: Visitor, handle: str) -> Response:
    """Challenge the player to a two-player game of the form's `ruleset` with default options."""
    return challenge_player(visitor, handle, lambda refusal: _profile_page(handle, refusal))


@web.post("/players/<handle>/report")
@signed_in
def report_player(visitor: Visitor, handle: str) -> Response:
    """Report the profile to the operators, with the words of the form."""
    games, now = current_runtime().games, clock.now()

    def refused(refusal: Refusal | None) -> Response:
        return _profile_page(handle, refusal, typed() if refusal is None else None)

    return reported(visitor, lambda words: complain_of_profile(games, visitor.id, handle, words, now), refused)


def _decided(visitor: Visitor, whom: PlayerRef, act: str, refused: Any) -> Response:
    games: Games = current_runtime().games
    if not admitted("games" if act == "friend" else "writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        if act == "friend":
            ask_friend(games, visitor.id, whom, clock.now(), budget())
        else:
            {"block": block_player, "ignore": ignore_player}[act](games, visitor.id, whom, clock.now())
    except Refusal as refusal:
        answer: Response = refused(refusal)
        return answer
    return see_other(url_for("web.show_people") + ("#friends" if act == "friend" else f"#{act}"))


def _profile_page(handle: str, refusal: Refusal | None = None, written: str | None = None) -> Response:
    """Return the page of a profile, with a refusal, or with the invalid words of a report (`written`)."""
    visitor, games, spoken = current_visitor(), current_runtime().games, language()
    viewer = NOBODY if visitor is None else visitor.id
    with transaction(games.engine) as db:
        try:
            profile = profile_by_handle(db, games.rulesets, viewer, handle, spoken)
        except NotFound:
            return missing_page()
        owner = find_handle(db, handle)
        own = owner == viewer
        known = between(db, viewer, owner) if visitor is not None and owner is not None and not own else None
    return page(
        "people/profile.html",
        refusal.status if refusal is not None else 200 if written is None else 422,
        profile=profile,
        count=partial(count, spoken),
        shown=_figures(profile, spoken),
        own=own,
        known=known,
        ratings=drawn(profile["ratings"], spoken, "UTC" if visitor is None else visitor.time_zone),
        sources=_sources(profile, spoken),
        signed=signed,
        titles={name: each.meta.title for name, each in games.rulesets.items()},
        playable={name: each.meta.title for name, each in games.rulesets.items() if max(each.meta.seats) > 1},
        longest=MAX_REPORT_LENGTH,
        written=written,
        refusal=reason(refusal, spoken) if written is None else say(spoken, BAD_WORDS, most=MAX_REPORT_LENGTH),
    )


def _figures(profile: dict[str, Any], spoken: str) -> dict[str, Any]:
    """Return the figures of a profile as text, for `profile.html`."""
    people = [each for each in profile["results"] if not each["computers"]]
    alone = [each for each in profile["results"] if each["computers"]]
    usual = max(people, key=lambda each: each["games"], default=None)
    counted = [each for each in people if each["points"] is not None]
    games = sum(each["games"] for each in people)
    answers = profile["answers"]
    return {
        "month": format_date(date.fromisoformat(profile["since"]), "MMMM y", locale=locale_of(spoken)),
        "games": sum(each["games"] for each in profile["played"]),
        "people": games,
        "won": _share(sum(each["won"] for each in people), games, spoken),
        "even": None if usual is None else (usual["seats"], _share(1, usual["seats"], spoken)),
        "points": None if not counted else number(_mean(counted), spoken),
        "best": max((each["best"] for each in counted), default=None),
        "computers": (sum(each["games"] for each in alone), sum(each["won"] for each in alone)),
        "median": _duration(answers["median"], spoken),
        "fastest": _duration(answers["fastest"], spoken),
        "moves": number(answers["moves_per_day"], spoken),
        "rows": [
            {
                **each,
                "share": _share(each["won"], each["games"], spoken),
                "mean": None if each["points"] is None else number(each["points"], spoken),
            }
            for each in profile["results"]
        ],
    }


def _sources(profile: dict[str, Any], spoken: str) -> dict[str, list[dict[str, Any]]]:
    """Return the sources of points by ruleset, most played first: largest source first, with shares of the total."""
    shown, rulesets = dict[str, list[dict[str, Any]]](), current_runtime().games.rulesets
    played = Counter[str]()
    for each in profile["results"]:
        played[each["ruleset"]] += each["games"]
    for name in sorted({each["ruleset"] for each in profile["sources"]}, key=lambda name: (-played[name], name)):
        parts = rulesets[name].contributions
        look = {each.symbol: each.look for each in parts.sources(spoken)}
        rows = [each for each in profile["sources"] if each["ruleset"] == name and each["points"] > 0]
        whole = sum(each["points"] for each in rows)
        shown[name] = [
            {
                "label": each["label"],
                "wide": round(100 * each["points"] / whole, 1),
                "share": _share(each["points"], whole, spoken),
                "colour": parts.looks.get(look[each["source"]], (None,))[0],
            }
            for each in sorted(rows, key=lambda each: -each["points"])
        ]
    return {name: rows for name, rows in shown.items() if rows}


def _mean(results: list[dict[str, Any]]) -> float:
    points: float = sum(each["points"] * each["games"] for each in results)
    games: int = sum(each["games"] for each in results)
    return round(points / games, 1)


def _share(part: int, whole: int, spoken: str) -> str | None:
    return None if not whole else f"{number(round(100 * part / whole), spoken)} %"


def _duration(seconds: int | None, spoken: str) -> str | None:
    return None if seconds is None else duration_text(spoken, max(seconds, 1), brief=True)


# Ratings: the numbers, and a line chart of the last games.

_WIDE, _HIGH = 420, 175
_LEFT, _RIGHT, _TOP, _BOTTOM, _GROUND = 10, 354, 16, 134, 150


def drawn(ratings: Sequence[Mapping[str, Any]], language: str, zone: str) -> list[Mapping[str, Any]]:
    """Return the ratings of a player (views.ratings) with titles and charts, for `ratings/_ratings.html`.

    `last` is the last signed change of the number and its day; None for a rating without a course.
    """
    rulesets = current_runtime().games.rulesets
    shown = list[Mapping[str, Any]]()
    for each in ratings:
        if each["ruleset"] in rulesets:
            days = [shown_day(each[end], language, zone) for end in ("since", "until") if each[end] is not None]
            last = None if each["change"] is None else (signed(each["change"]), days[-1])
            title = rulesets[each["ruleset"]].meta.title
            shown.append({**each, "title": title, "last": last, "drawn": course(each["course"], days, language)})
    return shown


def course(numbers: Sequence[int], days: Sequence[str], language: str) -> Markup:
    """Return the chart of a rating as an SVG element; a single game is drawn from the newcomers' number on.

    Empty if no game is known. `days` are those of the first and of the last game.
    """
    games = len(numbers)
    if not games:
        return Markup("")
    values = [INITIAL_NUMBER, *numbers] if games < 2 else numbers
    least, most = min(values), max(*values, min(values) + 1)

    def at(place: int) -> tuple[float, float]:
        x = _LEFT + place / max(1, len(values) - 1) * (_RIGHT - _LEFT)
        return round(x, 1), round(_BOTTOM - (values[place] - least) / (most - least) * (_BOTTOM - _TOP), 1)

    points = [at(place) for place in range(len(values))]
    line = " ".join(f"{x:g},{y:g}" for x, y in points)
    x, y = points[-1]
    shapes: list[Svg] = [
        element("polygon", points=f"{_LEFT},{_GROUND} {line} {x:g},{_GROUND}", class_="below"),
        element("polyline", points=line, class_="course"),
        element("circle", cx=x, cy=y, r=7),
        element("text", said(str(values[-1])), x=_WIDE - 2, y=y + 6, text_anchor="end"),
        *_dated(days[-1:] if games < 2 else days),
    ]
    told = f"{count(language, 'ra-course', games)}: {', '.join(map(str, numbers[-5:]))}"
    if games > 1 and days:
        told += f" ({days[0]} – {days[-1]})"
    svg = element("svg", *shapes, class_="rating", viewBox=f"0 0 {_WIDE} {_HIGH}", role="img", aria_label=told)
    return Markup(svg)  # noqa: S704 # drawn here, of numbers and dates alone


def _dated(days: Sequence[str]) -> list[Svg]:
    """Return the day of the first game below the start of the line, and that of the last game below its end."""
    first = [element("text", said(days[0]), x=_LEFT, y=_HIGH - 5, class_="day")] if len(days) > 1 else []
    last = [element("text", said(each), x=_RIGHT, y=_HIGH - 5, class_="day", text_anchor="end") for each in days[-1:]]
    return first + last
