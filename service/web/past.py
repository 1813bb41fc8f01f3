"""The page behind a link that has nothing left to do: it says why, and what became of its decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from flask import Response, request
from sqlalchemy import Connection

from service.log.recorded import Recorded
from service.rules.kernel import HOUSE_EVENTS, ActionTakenBack
from service.store.events import since_decision
from service.texts.catalog import say
from service.texts.when import moment
from service.views.history import sent_action
from service.web.page import answer
from service.web.undoing import back_ask
from service.web.visit import Visit

DONE: Final = frozenset({"over", "past-waiting", "past-newest"})
"""Why a link has nothing left to do that was not taken out of use."""


def past_page(db: Connection, visit: Visit, status: int) -> Response:
    """Return the page, which shows nothing of the table as it is now."""
    later = since_decision(db, visit.position.codec, visit.link.game_id, visit.link.decision)
    answers = _answers(visit, later)
    reason = _reason(visit, later)
    running = visit.position.game.status == "running" and visit.link.seat not in visit.position.resigned
    return answer(
        "past.html",
        visit.language,
        status,
        title=visit.title,
        game_id=visit.link.game_id,
        played=answers[0] if answers else None,
        happened=[*_action(visit, answers), *visit.told(answers)],
        undone=any(_takes_back(each.event, answers) for each in later),
        back_ask=back_ask(db, visit),
        heading=say(visit.language, "past" if reason in DONE else "past-dead"),
        reason=say(visit.language, reason),
        fresh_link=running,
        base=visit.address,
        refused=request.method == "POST",
        result=visit.result,
        moment=lambda at: moment(at, visit.language, visit.position.seats[visit.link.seat].time_zone),
    )


def _answers(visit: Visit, later: Sequence[Recorded]) -> list[Recorded]:
    """Return what was recorded as the seat's last answer to the decision of the link."""
    link = visit.link
    answers = [
        each
        for each in later
        if (each.seat, each.decision) == (link.seat, link.decision) and not isinstance(each.event, HOUSE_EVENTS)
    ]
    return [each for each in answers if each.at == answers[-1].at]


def _takes_back(event: Any, answers: Sequence[Recorded]) -> bool:
    return isinstance(event, ActionTakenBack) and any(event.first <= each.seq <= event.last for each in answers)


def _action(visit: Visit, answers: list[Recorded]) -> list[str]:
    actions = (sent_action(visit.position.ruleset, each) for each in answers)
    return [visit.described(action) for action in actions if action is not None][:1]


def _reason(visit: Visit, later: Sequence[Recorded]) -> str:  # noqa: PLR0911 - one line for each way to die
    if visit.position.game.status == "cancelled":
        return "cancelled"
    if visit.position.game.status == "finished":
        return "over"
    if visit.link.seat in visit.position.resigned:
        return "past-resigned"
    if visit.link.revoked_for is not None:
        return f"past-{visit.link.revoked_for}"
    if _vanished(visit, later):
        return "past-taken-back"
    if not visit.to_act:
        return "past-waiting"
    return "expired" if visit.current else "past-newest"


def _vanished(visit: Visit, later: Sequence[Recorded]) -> bool:
    """Return whether the link's decision was never answered, since the action that had led there was taken back."""
    link, there = visit.link, [each for each in later if each.decision == visit.link.decision]
    undone = [each for each in there if isinstance(each.event, ActionTakenBack) and each.seat != link.seat]
    return bool(undone) and not _answers(visit, later) and visit.position.decision != link.decision
