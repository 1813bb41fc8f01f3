"""The page behind a link that cannot play any more: it says why, and what became of the decision."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from flask import Response, request
from sqlalchemy import Connection

from service.handlers.presence import is_absent
from service.log.recorded import Recorded
from service.rules.shared_events import ActionTakenBack, SharedEvent, TimeLapsed
from service.store.events import since_decision
from service.texts.catalog import count, say
from service.texts.when import moment
from service.views.history import sentence
from service.views.sentences import sent_action
from service.web.link_table import over_page
from service.web.opened_link import OpenedLink
from service.web.page import render
from service.web.sitting import Sitting
from service.web.take_back import offered

DONE: Final = frozenset({"past-over", "past-waiting", "past-newest"})
"""Reasons of links that have served their purpose; all other links were taken out of use."""


def inactive_page(db: Connection, opened: OpenedLink, status: int) -> Response:
    """Return the page. It shows the table only once the game is over, and then to holders of a link that works."""
    language = opened.language
    later = since_decision(db, opened.position.codec, opened.link.game_id, opened.link.decision)
    answers = _answers(opened, later)
    reason = _reason(opened, later)
    past = {
        "meta": opened.position.ruleset.meta,
        "played": answers[0] if answers else None,
        "caused": _caused(opened.sitting(db), answers),
        "undone": any(_takes_back(each.event, answers) for each in later),
        "heading": say(language, "past" if reason in DONE else "past-dead"),
        "refused": request.method == "POST",
        "reason": say(language, reason, reason=opened.link.blocked),
    }
    if opened.works and opened.position.outcome is not None:
        return over_page(db, opened, status, **past)
    running = opened.position.game.status == "running" and opened.link.seat not in opened.position.resigned
    return render(
        "past.html",
        language,
        status,
        title=opened.title,
        game_id=opened.link.game_id,
        retractable=offered(db, opened),
        fresh_link=running and opened.link.blocked is None,
        absent=opened.works and is_absent(opened.position, opened.link.seat),
        base=opened.address,
        result=opened.result,
        count=partial(count, language),
        instant=lambda at: moment(at, language, opened.zone),
        **past,
    )


def _answers(opened: OpenedLink, later: Sequence[Recorded]) -> list[Recorded]:
    """Return the events of the seat's last action in answer to the decision of the link."""
    link = opened.link
    answers = [
        each
        for each in later
        if (each.seat, each.decision) == (link.seat, link.decision) and not isinstance(each.event, SharedEvent)
    ]
    return [each for each in answers if each.at == answers[-1].at]


def _takes_back(event: Any, answers: Sequence[Recorded]) -> bool:
    return isinstance(event, ActionTakenBack) and any(event.first <= each.seq <= event.last for each in answers)


def _caused(sitting: Sitting, answers: Sequence[Recorded]) -> list[str]:
    """Return the sentences for the action and for what it has caused, as the player may know them."""
    position, language = sitting.position, sitting.rules_language
    actions = (sent_action(position.ruleset, each) for each in answers)
    told = (sentence(position, each.event, sitting.seat, language) for each in answers)
    acted = [sitting.described(action) for action in actions if action is not None][:1]
    return [*acted, *filter(None, told)]


def _reason(opened: OpenedLink, later: Sequence[Recorded]) -> str:
    if opened.position.game.status == "cancelled":
        return "cancelled"
    if opened.position.game.status == "finished":
        return "past-over"
    if opened.link.seat in opened.position.resigned:
        return "past-resigned"
    if opened.link.blocked is not None:
        return "past-blocked"
    if opened.link.revoked_for is not None:
        return f"past-{opened.link.revoked_for}"
    if _is_undone(opened, later):
        return "past-taken-back" if opened.to_act else "past-withdrawn"
    if any(_is_lapse(opened, each) for each in later):
        return "past-time-lapsed"
    if not opened.to_act:
        return "past-waiting"
    return "expired" if opened.current else "past-newest"


def _is_lapse(opened: OpenedLink, recorded: Recorded) -> bool:
    """Return whether the time for the link's decision has run out with an event."""
    return isinstance(recorded.event, TimeLapsed) and (recorded.seat, recorded.decision) == (
        opened.link.seat,
        opened.link.decision,
    )


def _is_undone(opened: OpenedLink, later: Sequence[Recorded]) -> bool:
    """Return whether the link's decision went unanswered because another player took back the action before it."""
    link, facing = opened.link, [each for each in later if each.decision == opened.link.decision]
    undone = [each for each in facing if isinstance(each.event, ActionTakenBack) and each.seat != link.seat]
    return bool(undone) and not _answers(opened, later) and opened.position.decision != link.decision
