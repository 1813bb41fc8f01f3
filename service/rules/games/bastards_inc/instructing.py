"""Instructions: whether to be asked about arrivals, illegal acts and joint ventures (B-16)."""

from __future__ import annotations

from service.rules.games.bastards_inc.actions import Instruct
from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.events import DecisionReached, InstructionGiven
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import SETTINGS
from service.rules.kernel import Illegal


def instruct(course: Course, seat: int, action: Instruct) -> None:
    """Set an instruction; where one seat acts, it is asked again after it (B-07, B-16)."""
    own = course.state.companies[seat]
    if action.setting not in SETTINGS[action.instruction]:
        raise Illegal("no-such-setting", "B-16", instruction=action.instruction, setting=action.setting)
    if action.instruction in own.instructed:
        raise Illegal("once-per-turn", "B-16", instruction=action.instruction)
    if getattr(own, action.instruction) == action.setting:
        raise Illegal("already-so", "B-16", instruction=action.instruction, setting=action.setting)
    course.record(InstructionGiven(seat=seat, instruction=action.instruction, setting=action.setting))
    if course.state.phase != "draw":
        course.record(DecisionReached(phase=course.state.phase, seats=(seat,)))


def legal_instructions(state: State, seat: int) -> list[Instruct]:
    """Return every instruction that the seat may change, with its other settings (B-16)."""
    own = state.companies[seat]
    return [
        Instruct(instruction=instruction, setting=setting)
        for instruction, settings in SETTINGS.items()
        if instruction not in own.instructed
        for setting in settings
        if setting != getattr(own, instruction)
    ]
