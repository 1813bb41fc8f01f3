"""Pace on the pages: clocks of a table, usual lengths, pace fields of forms, absences of a player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from math import ceil
from typing import Any, Final
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError
from sqlalchemy import Connection

from schemas.pace import ON_LAPSE, AbsenceChanged, NewAbsence
from service.handlers import pace as handlers_pace
from service.handlers.pace import AbsencePlan
from service.handlers.refusals import BadAbsence, PreconditionFailed
from service.handlers.transaction import statements, transaction
from service.log.absences import MOST_DAYS_AHEAD, MOST_DAYS_IN_A_ROW, MOST_DAYS_IN_A_YEAR
from service.log.clocks import Clocks
from service.log.recorded import instant, milliseconds
from service.rules.kernel import Meta
from service.rules.pace import PACES, Pace, usual_pace
from service.shared import clock
from service.shared.refusal import NotFound
from service.texts.catalog import say
from service.texts.games import PACE_NAMES, full_pace_text, pace_text
from service.texts.when import day, duration_text, instant_text, left_text, length_text
from service.views.lobby import UsualLengths, short_option, usual_lengths
from service.views.pace import absences_of
from service.web.access.arrival import zones
from service.web.blueprint import web
from service.web.page import admitted, current_runtime
from service.web.post_guard import unless_changed, version_of
from service.web.session import Visitor, current_visitor, language, missing_page, page, see_other, signed_in
from service.web.viewer_context import ViewerContext

_MINUTE = 60


@dataclass(frozen=True, slots=True)
class ShownDeadline:
    """Deadline as shown: the instant in the reader's zone; the time left in words, in brief words, in seconds."""

    at: datetime
    instant: str
    left: str
    brief: str
    seconds: int


@dataclass(frozen=True, slots=True)
class ShownClock:
    """Clock of a seat: deadline if any, bank in words, and notes as sentences.

    `own` is true for the reader's own seat.
    """

    name: str
    own: bool
    due: ShownDeadline | None
    bank: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownClocks:
    """Clocks of a game; `stopped` says until when the game is paused, and `due` is the reader's own deadline.

    If the reader has no deadline, `due` is the earliest of the others, and `due_of` the name of that player.
    """

    pace: str
    stopped: str | None
    due: ShownDeadline | None
    due_of: str | None
    seats: tuple[ShownClock, ...]


def due_at(at: datetime, now: datetime, language: str, zone: str) -> ShownDeadline:
    """Return a deadline as shown to a reader of the language in the IANA zone."""
    seconds = max(0, ceil((at - now).total_seconds()))
    left, brief = left_text(language, at, now), left_text(language, at, now, brief=True)
    return ShownDeadline(at, instant_text(language, zone, at, now), left, brief, seconds)


def shown_clocks(context: ViewerContext, now: datetime) -> ShownClocks | None:
    """Return the clocks of a running game at a moment; None if the game has no clock or has ended."""
    clocks = context.position.clocks
    if clocks is None or context.position.game.status != "running":
        return None
    language = context.language
    seats = tuple(_seat(context, clocks, seat, now) for seat in range(len(clocks.banks)))
    # The reader's own deadline comes first, then the earliest.
    timed = [(not each.own, each.due.at, each) for each in seats if each.due is not None]
    first = min(timed, key=lambda each: each[:2])[2] if timed else None
    stopped = None
    if clocks.paused is not None:
        until = instant_text(language, context.zone, instant(clocks.paused.until), now)
        stopped = say(language, "clock-paused", until=until)
    return ShownClocks(
        pace=full_pace_text(language, clocks.pace),
        stopped=stopped,
        due=None if first is None else first.due,
        due_of=None if first is None or first.own else first.name,
        seats=seats,
    )


def _seat(context: ViewerContext, clocks: Clocks, seat: int, now: datetime) -> ShownClock:
    language, deadline = context.language, clocks.deadline(seat)
    left = clocks.bank(seat, milliseconds(now)) // 1000
    return ShownClock(
        name=context.named([seat]),
        own=seat == context.seat,
        due=None if deadline is None else due_at(instant(deadline), now, language, context.zone),
        bank=duration_text(language, left if left < _MINUTE else left - left % _MINUTE),
        notes=tuple(_notes(context, clocks, seat, now)),
    )


def _notes(context: ViewerContext, clocks: Clocks, seat: int, now: datetime) -> list[str]:
    language, away = context.language, clocks.away.get(seat)
    notes = []
    if seat in context.position.resigned:
        notes.append(say(language, "clock-resigned"))
    elif seat in clocks.absent:
        notes.append(say(language, "clock-absent"))
    elif seat in clocks.lapsed:
        notes.append(say(language, "clock-lapsed"))
    if away is not None:
        notes.append(say(language, "clock-away", until=instant_text(language, context.zone, instant(away), now)))
    return notes


# Usual lengths of games.


def lengths_here() -> UsualLengths:
    """Return the stored usual lengths; one statement."""
    with statements(current_runtime().engine) as db:
        return usual_lengths(db)


def of_table(lengths: UsualLengths, meta: Meta, seats: int, options: Mapping[str, Any], pace: Pace | None) -> str:
    """Return the sentence that says how long a game at the table takes, "" if unknown."""
    return length_sentence(lengths.of(meta, seats, options, pace), language())


def length_sentence(seconds: int | None, spoken: str) -> str:
    """Return the sentence that says how long a game takes, "" if unknown."""
    return "" if seconds is None else say(spoken, "length", length=length_text(spoken, seconds))


def by_pace(lengths: UsualLengths, meta: Meta) -> dict[str, str]:
    """Return by pace name a sentence with the lengths at the smallest and at the largest table.

    Paces of unknown length are left out.
    """
    return dict(_by_pace(lengths, meta))


def _by_pace(lengths: UsualLengths, meta: Meta) -> Iterator[tuple[str, str]]:
    fewest, most = _fewest(meta), max(meta.seats)
    for name in ("none", *PACES):
        least, longest = (lengths.of(meta, seats, {}, PACES.get(name)) for seats in (fewest, most))
        if least is not None and (longest is None or fewest == most):
            yield name, length_sentence(least, language())
        elif least is not None and longest is not None:
            told = {"least": _told(least), "longest": _told(longest), "fewest": fewest, "most": most}
            yield name, say(language(), "length-range", **told)


def of_short(lengths: UsualLengths, meta: Meta) -> dict[str, str]:
    """Return by option name a sentence that says by how much the option shortens a game; empty if none does."""
    for seats in meta.seats:
        option = short_option(meta, seats)
        usual, short = (lengths.of(meta, seats, each, usual_pace(seats)) for each in ({}, _chosen(meta, seats)))
        if option is not None and usual is not None and short is not None and short < usual:
            told = {"seats": seats, "short": _told(short), "usual": _told(usual)}
            return {option.name: say(language(), "length-short", **told)}
    return {}


def by_mail(lengths: UsualLengths, meta: Meta) -> str:
    """Return how long a game (and a short game) of the smallest table takes at the usual pace, "" if unknown."""
    seats, spoken = _fewest(meta), language()
    usual, short = (lengths.of(meta, seats, each, usual_pace(seats)) for each in ({}, _chosen(meta, seats)))
    if usual is None:
        return ""
    told = say(spoken, "length-by-mail", seats=seats, length=_told(usual))
    if short_option(meta, seats) is None or short is None or short >= usual:
        return told
    return f"{told}; {say(spoken, 'length-by-mail-short', length=_told(short))}"


def usual_told(lengths: UsualLengths, meta: Meta) -> dict[str, Any] | None:
    """Return the values of the sentence on the start page: game, number of players, length; None if unknown."""
    seats = _fewest(meta)
    known = lengths.of(meta, seats, {}, usual_pace(seats))
    return None if known is None else {"title": meta.title, "seats": seats, "length": _told(known)}


def _fewest(meta: Meta) -> int:
    """Return the smallest number of players, solo games aside."""
    return min((seats for seats in meta.seats if seats > 1), default=1)


def _chosen(meta: Meta, seats: int) -> dict[str, bool]:
    option = short_option(meta, seats)
    return {} if option is None else {option.name: True}


def _told(seconds: int) -> str:
    return length_text(language(), seconds)


# Choice of a pace in the form of a new table.

OWN: Final = "own"
"""Name of the pace with times of the player's own choice."""
_TIMES: Final = {"free": "1", "bank": "4", "credit": "0", "cap": "4"}
"""Fields of own times with their initial days: those of `daily`, without its credit."""
_UNITS: Final = {"days": "P{}D", "hours": "PT{}H", "minutes": "PT{}M"}


def pace_choices(lengths: Mapping[str, str]) -> dict[str, Any]:
    """Return what the template of the form needs; `lengths` maps a pace to the sentence of its length."""
    spoken, visitor = language(), current_visitor()
    return {
        "paces": {name: pace_text(spoken, PACES.get(name)) for name in PACE_NAMES} | {OWN: say(spoken, "new-pace-own")},
        "lengths": lengths,
        "own_times": _TIMES,
        "units": tuple(_UNITS),
        "on_lapse": ON_LAPSE,
        "zones": zones(),
        "own_zone": "UTC" if visitor is None else visitor.time_zone,
    }


def posted_pace(form: Mapping[str, str]) -> dict[str, Any]:
    """Return the pace of a form in the shape of the API; empty if the form has no pace."""
    name = form.get("pace")
    if name is None:
        return {}
    if name == "none":
        return {"pace": {"name": name}}
    chosen: dict[str, Any] = {each: _duration(form, each) for each in _TIMES} if name == OWN else {"name": name}
    if "weekdays" in form:
        chosen["weekdays"] = form.get("zone", "")
    if "on_lapse" in form:
        chosen |= {"on_lapse": form["on_lapse"], "away": "away" in form, "take_back": "take_back" in form}
    return {"pace": chosen}


def _duration(form: Mapping[str, str], name: str) -> str:
    unit = form.get(f"{name}-unit", "")
    return _UNITS[unit].format(form.get(name, "").strip()) if unit in _UNITS else ""


# Settings of absences.

_NEW = NewAbsence()
_CHANGED = AbsenceChanged()


@web.get("/settings/away")
@signed_in
def list_absences(visitor: Visitor) -> Response:
    """List the player's absences, with the form to announce an absence."""
    return _page(visitor, 200)


@web.post("/settings/away")
@signed_in
def announce_absence(visitor: Visitor) -> Response:
    """Announce an absence with the days of the form: `from` (optional) and `until`."""
    if not admitted("absences", visitor.id):
        return page("notice.html", 429, notice="too-often")
    days = {name: value for name in ("from", "until") if (value := request.form.get(name, "").strip())}
    try:
        plan = AbsencePlan(**_NEW.load(days))
        handlers_pace.announce_absence(current_runtime().games, visitor.id, plan, clock.now())
    except ValidationError:
        return _page(visitor, 422, "away-bad-form")
    except BadAbsence as refused:
        return _refused(visitor, refused)
    return see_other(url_for("web.list_absences", saved=""))


@web.post("/settings/away/<uuid:absence_id>")
@signed_in
def change_absence(visitor: Visitor, absence_id: UUID) -> Response:
    """Give an absence the last day of the form (`until`)."""
    if not admitted("absences", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        plan = AbsencePlan(**_CHANGED.load({"until": request.form.get("until", "").strip()}))
        unless_changed(
            lambda db: _version(db, visitor, absence_id),
            lambda: handlers_pace.change_absence(current_runtime().games, visitor.id, absence_id, plan, clock.now()),
        )
    except NotFound:
        return missing_page()
    except ValidationError:
        return _page(visitor, 422, "away-bad-form")
    except PreconditionFailed:
        return _page(visitor, 412, "settings-changed", changed=absence_id)
    except BadAbsence as refused:
        return _refused(visitor, refused)
    return see_other(url_for("web.list_absences", saved=""))


@web.post("/settings/away/<uuid:absence_id>/end")
@signed_in
def end_absence(visitor: Visitor, absence_id: UUID) -> Response:
    """End an absence now, or cancel an absence that has not begun."""
    try:
        handlers_pace.end_absence(current_runtime().games, visitor.id, absence_id, clock.now())
    except NotFound:
        return missing_page()
    return see_other(url_for("web.list_absences", saved=""))


def _refused(visitor: Visitor, refused: BadAbsence) -> Response:
    return _page(visitor, 422, f"detail-bad-absence-{refused.case}", most=refused.members.get("most"))


def _version(db: Connection, visitor: Visitor, absence: UUID) -> str:
    known = absences_of(db, visitor.browser.player, clock.now())["items"]
    return next((version_of(each["until"]) for each in known if each["id"] == str(absence)), "")


def _page(
    visitor: Visitor, status: int, refusal: str | None = None, changed: UUID | None = None, **values: Any
) -> Response:
    with transaction(current_runtime().games.engine) as db:
        known = absences_of(db, visitor.browser.player, clock.now())
    return page(
        "pace/absences.html",
        status,
        absences=known["items"],
        left=known["days_left"],
        limits={"ahead": MOST_DAYS_AHEAD, "row": MOST_DAYS_IN_A_ROW, "year": MOST_DAYS_IN_A_YEAR},
        day=lambda iso: day(date.fromisoformat(iso), language()),
        refusal=refusal,
        values=values,
        saved="saved" in request.args,
        written={} if changed else request.form,
        changed={} if changed is None else {str(changed): request.form.get("until", "")},
    )
