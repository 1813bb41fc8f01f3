"""The game in sentences, and the table as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.rules.kernel import Illegal, Json, Part, Question, Seat, Section

from .actions import Action, Bid, Hold
from .events import BidSealed, Event, HandDealt
from .texts import TEXTS


def describe(
    it: Event | Action | type[Action] | Illegal, viewer: Seat | None, language: str, names: Sequence[str]
) -> str:
    """Return the sentence for an event, an action or a refusal, or the name of a kind of action."""
    texts = TEXTS[language]
    if isinstance(it, type):
        return texts[it.__name__]
    if isinstance(it, Illegal):
        return texts[it.code].format(**it.facts)
    if isinstance(it, Bid):
        return texts["bid"].format(card=it.card)
    if isinstance(it, Hold):
        return texts["hold"]
    return _happened(it, viewer, texts, names)


def _happened(event: Event, viewer: Seat | None, texts: Mapping[str, str], names: Sequence[str]) -> str:
    name = "" if event.seat is None else names[event.seat]
    if isinstance(event, HandDealt):
        if viewer == event.seat:
            return texts["own"].format(name=name, cards=_list(event.cards))
        return texts["dealt"].format(name=name, count=len(event.cards))
    if isinstance(event, BidSealed):
        return texts["sealed"].format(name=name)
    kind = "lost" if event.seat is None else "awarded"
    return texts[kind].format(lot=event.lot, worth=sum(event.dice), name=name)


def draw(view: Json, language: str, names: Sequence[str]) -> str:
    """Return the table as lines of text."""
    texts = TEXTS[language]
    lines = [texts["table"].format(lot=view["lot"])]
    for seat, points in enumerate(view["points"]):
        line = texts["seat"].format(name=names[seat], points=points, cards=view["cards"][seat])
        lines.append(line[:72])
    if view["hand"] is not None:
        lines.append(texts["hand"].format(cards=_list(view["hand"])))
    return "\n".join(lines)


def ask(part: Part, view: Json, language: str, names: Sequence[str]) -> Question:
    """Return the question for the card of a bid, the only part that an action has (`/card`)."""
    labels = tuple(map(str, part.values))
    return Question(text=TEXTS[language]["which"], labels=labels, places=(None,) * len(labels))


def explain(told: Json, viewer: Seat | None, language: str, names: Sequence[str]) -> tuple[Section, ...]:
    """Return each player's points, and the lots that they come from."""
    texts, won = TEXTS[language], told["lots"]
    rows = [
        (names[seat], _list([each["lot"] for each in lots]), str(told["scores"][seat])) for seat, lots in enumerate(won)
    ]
    lines = [texts["brings"].format(name=names[seat], **each) for seat, lots in enumerate(won) for each in lots]
    head = (texts["player"], texts["lots"], texts["score"])
    return (Section(title=texts["score"], head=head, rows=tuple(rows), lines=tuple(lines)),)


def _list(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers)) or "-"
