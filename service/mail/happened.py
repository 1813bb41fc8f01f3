"""Recap of a turn in a mail: its weightiest event, the newest sentences, and their marks for the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.log.recorded import Recorded
from service.mail import pieces
from service.mail.blocks import Happened, Told
from service.rules.kernel import GameStarted
from service.rules.shared_events import ActionTakenBack, SeatHandedOver, SeatResigned, SharedEvent
from service.rules.table_parts import Mark
from service.rules.tabletop.picture import NumberedMark
from service.rules.tabletop.table import Table
from service.store.position import Position
from service.texts.catalog import count, say
from service.views.history import Recap, sentence

MOST_SENTENCES: Final = 3
MOST_LETTERS: Final = 120
"""The first sentence is told whatever its length; others as long as there is room for them."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Beginning of a mail: a sentence in the present without a full stop, and its event's number in the log."""

    seq: int
    sentence: str


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence: the numbers of its first and last event in the log, and the marks of its events."""

    first: int
    seq: int
    text: str
    marks: tuple[Mark, ...] = ()


_SHARED: Final[Mapping[type[SharedEvent], tuple[int, str]]] = {
    SeatResigned: (95, "headline-resigned"),
    SeatHandedOver: (94, "headline-handed-over"),
    ActionTakenBack: (1, "headline-taken-back"),
}
"""Weights and texts of what can happen in every game, among those of a ruleset's own events."""


def leading(position: Position, seat: int, recap: Recap) -> Lead | None:
    """Return the weightiest event of the recap; None if there is nothing to tell but whose turn it is.

    A subject is public, so event and sentence follow from what a spectator may know.
    """
    language = position.seats[seat].language
    names = position.everybody_in(language)
    played = [each for each in recap.recorded if not isinstance(each.event, (GameStarted, SharedEvent))]
    table = pieces.table_of(position, seat, looking_on=True)
    told = table.headlines([(each.event, each.seat) for each in played], seat)
    found = [(each.weight, played[each.event].seq, each.sentence) for each in told]
    for each in recap.recorded:
        weight, key = _SHARED.get(type(each.event), (0, ""))
        if key and each.event.seat != seat:
            found.append((weight, each.seq, say(language, key, name=names[each.event.seat])))
    _, seq, text = max(found, default=(0, 0, ""))
    return Lead(seq, text) if text else None


def happened(
    position: Position, seat: int, table: Table, recap: Recap, lead: Lead | None = None
) -> tuple[list[Happened], list[NumberedMark]]:
    """Return the newest sentences of the recap as a block, if there are any, and the marks of those sentences.

    A sentence has a number if it has a mark on the board. That of the event that leads is among them, if it has one.
    """
    language = position.seats[seat].language
    told = sorted(_sentences(position, seat, table, recap), key=lambda each: each.seq)
    if position.outcome is not None and position.outcome.get("scores") is not None:
        # That the game is over, and how, the mail says anyway: only what changed the board is news.
        told = [each for each in told if each.marks]
    newest = _newest(told, 0 if lead is None else lead.seq)
    if not newest:
        return [], []
    items: list[Told] = []
    marks: list[NumberedMark] = []
    for each in newest:
        number = len({item.number for item in items if item.number}) + 1 if each.marks else None
        items.append(Told(each.text, number))
        marks += [NumberedMark(mark, None if at else number) for at, mark in enumerate(each.marks)]
    earlier = len(told) - len(newest)
    return [Happened(tuple(items), count(language, "recap-more", earlier) if earlier else "")], marks


def _sentences(position: Position, seat: int, table: Table, recap: Recap) -> Iterator[_Sentence]:
    played = [each for each in recap.recorded if not isinstance(each.event, (GameStarted, SharedEvent))]
    facts = [(each.event, each.seat) for each in played]
    places = table.board().places
    marks = [mark for mark in table.changes(facts) if mark.at in places]
    for line in table.story(facts):
        own = tuple(mark for mark in marks if line.first <= mark.event <= line.last)
        yield _Sentence(played[line.first].seq, played[line.last].seq, line.sentence, own)
    for each in recap.recorded:
        if isinstance(each.event, SharedEvent) and (text := _shared(position, seat, each)):
            yield _Sentence(each.seq, each.seq, text)


def _shared(position: Position, seat: int, each: Recorded) -> str:
    return sentence(position, each.event, seat, position.seats[seat].language)


def _newest(told: Sequence[_Sentence], leads: int) -> Sequence[_Sentence]:
    """Return the sentences for which there is room: the newest with marks, that of the event that leads before them.

    Without marks the event that leads is as any other: the first line tells it. A third sentence is told only if it
    has marks.
    """
    by_weight = sorted(told, key=lambda each: (not each.marks, not each.first <= leads <= each.seq, -each.seq))
    kept: list[_Sentence] = []
    for each in by_weight[:MOST_SENTENCES]:
        if kept and (sum(len(one.text) for one in (*kept, each)) > MOST_LETTERS or (len(kept) > 1 and not each.marks)):
            break
        kept.append(each)
    return [each for each in told if each in kept]
