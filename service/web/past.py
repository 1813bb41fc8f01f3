"""The page behind a link that has nothing left to do: it says why, and what became of its decision."""

from __future__ import annotations

from flask import Response, request
from msgspec import ValidationError, convert
from sqlalchemy import Connection

from service.mail.texts import say
from service.mail.when import moment
from service.rules.kernel import HOUSE_EVENTS
from service.store.events import Recorded, since_decision
from service.web.answers import answer
from service.web.visit import Visit


def past_page(db: Connection, visit: Visit, status: int) -> Response:
    """Return the page, which shows nothing of the table as it is now."""
    answers = _answers(db, visit)
    return answer(
        "past.html",
        visit.language,
        status,
        title=visit.title,
        played=answers[0] if answers else None,
        happened=[*_action(visit, answers), *visit.told(answers)],
        reason=say(visit.language, _reason(visit)),
        refused=request.method == "POST",
        result=visit.result,
        moment=lambda at: moment(at, visit.language, visit.position.seats[visit.link.seat].time_zone),
    )


def _answers(db: Connection, visit: Visit) -> list[Recorded]:
    """Return what was recorded as the seat's answer to the decision of the link."""
    link, position = visit.link, visit.position
    later = since_decision(db, position.codec, link.game_id, link.decision)
    answers = (each for each in later if (each.seat, each.decision) == (link.seat, link.decision))
    return [each for each in answers if not isinstance(each.event, HOUSE_EVENTS)]


def _action(visit: Visit, answers: list[Recorded]) -> list[str]:
    sent = next((each.action for each in answers if each.action is not None), None)
    if sent is None:
        return []
    fields = {name: value for name, value in sent.items() if name != "type"}
    try:
        return [visit.described(convert(fields, visit.position.ruleset.action_types[sent["type"]]))]
    except (KeyError, ValidationError):
        # The log keeps actions as they were sent, and an action's shape may have changed since.
        return []


def _reason(visit: Visit) -> str:
    if visit.position.game.status == "cancelled":
        return "cancelled"
    if visit.position.game.status == "finished":
        return "over"
    if visit.link.seat in visit.position.resigned:
        return "past-resigned"
    if not visit.to_act:
        return "past-waiting"
    return "expired" if visit.current else "past-newest"
