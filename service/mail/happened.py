"""What a mail says of what has happened: the newest sentences, and their marks for the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from service.log.recorded import Recorded
from service.mail.blocks import Happened, Told
from service.rules.kernel import GameStarted
from service.rules.shapes import Mark
from service.rules.shared_events import SharedEvent
from service.rules.tabletop.picture import NumberedMark
from service.rules.tabletop.table import Table
from service.store.position import Position
from service.texts.catalog import count
from service.views.history import Recap, sentence

MOST_SENTENCES: Final = 3
MOST_LETTERS: Final = 120
"""The first sentence is told whatever its length; others as long as there is room for them."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence: the number of its last event in the log, and the marks of its events."""

    seq: int
    text: str
    marks: tuple[Mark, ...] = ()


def happened(position: Position, seat: int, table: Table, recap: Recap) -> tuple[list[Happened], list[NumberedMark]]:
    """Return the newest sentences of the recap as a block, if there are any, and the marks of those sentences.

    A sentence has a number if it has a mark on the board.
    """
    language = position.seats[seat].language
    told = sorted(_sentences(position, seat, table, recap), key=lambda each: each.seq)
    if position.outcome is not None and position.outcome.get("scores") is not None:
        # That the game is over, and how, the mail says anyway: only what changed the board is news.
        told = [each for each in told if each.marks]
    newest = _newest(told)
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
        yield _Sentence(played[line.last].seq, line.sentence, own)
    for each in recap.recorded:
        if isinstance(each.event, SharedEvent) and (text := _shared(position, seat, each)):
            yield _Sentence(each.seq, text)


def _shared(position: Position, seat: int, each: Recorded) -> str:
    return sentence(position, each.event, seat, position.seats[seat].language)


def _newest(told: Sequence[_Sentence]) -> Sequence[_Sentence]:
    """Return the sentences for which there is room; the newest with marks go before all others.

    A third sentence is told only if it has marks.
    """
    by_weight = sorted(told, key=lambda each: (not each.marks, -each.seq))
    kept: list[_Sentence] = []
    for each in by_weight[:MOST_SENTENCES]:
        if kept and (sum(len(one.text) for one in (*kept, each)) > MOST_LETTERS or (len(kept) > 1 and not each.marks)):
            break
        kept.append(each)
    return [each for each in told if each in kept]
