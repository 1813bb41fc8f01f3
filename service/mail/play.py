"""Mails about the play of a game: turn, start, withdrawn turn, end, remarks, proposals, receipts of replies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers.talk import Said, said_in
from service.log.agreement import pause_proposal
from service.log.clocks import Clocks
from service.log.recorded import Recorded, instant, milliseconds
from service.mail import game_blocks
from service.mail.blocks import (
    Aside,
    Block,
    Bullets,
    Button,
    Content,
    Grid,
    Happened,
    Hyperlink,
    Paragraph,
    Quote,
    Small,
    Told,
)
from service.mail.context import MailContext
from service.mail.game_blocks import MailLinks, others_time, own_time
from service.mail.message import MAX_SUMMARY_LENGTH, Kind, game_content, numbered_content
from service.mail.send import Sent, is_turn_due, open_draft, send_draft
from service.mail.sentences import NO_TIMES, Times, greeting, one_line, outcome_lines, player_name
from service.mail.strip_links import strip_links_by_line
from service.mail.subject_line import State, over_subject, reminder_subject, subject_line
from service.rules.bidi import isolated
from service.rules.kernel import GameStarted
from service.rules.shared_events import ActionTakenBack, SeatHandedOver, SeatResigned, SharedEvent
from service.rules.table_parts import Mark, Status
from service.rules.tabletop.picture import NumberedMark
from service.rules.tabletop.table import Table
from service.shared import clock
from service.store import play
from service.store.events import has_acted_since
from service.store.games import Position
from service.store.outbox import OutboxRow
from service.texts.catalog import count, say
from service.texts.locales import listed
from service.texts.when import clock_time, instant_text
from service.views.history import Recap, sentence
from service.views.orders import dropped_now
from service.views.who_played import lines_of


@dataclass(frozen=True, slots=True)
class TurnPrompt:
    """The state of a turn: it `goes_on` if the player has acted, and has not answered the decision that followed.

    The mail `reminds` a player who was told of the turn before. `times` is what is to be said of time; `dropped` says
    of each order that did not fit this decision why it was not played.
    """

    goes_on: bool = False
    reminds: bool = False
    times: Times = NO_TIMES
    dropped: Sequence[str] = ()


def turn_mail(position: Position, seat: int, recap: Recap, urls: MailLinks, turn: TurnPrompt) -> Content:
    """Return the mail that asks a seat for its action; `recap` is what has happened since the seat's last action.

    It takes two screens of a phone. All else is on the page behind the button.
    """
    goes_on, language, decision = turn.goes_on, position.seats[seat].language, position.decision
    table = game_blocks.table_of(position, seat)
    lead = None if goes_on else lead_of(position, seat, recap)
    told, marks = recap_blocks(position, seat, table, recap, lead)
    blocks = [
        *told,
        *_dropped(turn, language),
        *game_blocks.language_note(position.ruleset.meta, language),
        # Two screens have no room for both what has happened and what the reader holds.
        game_blocks.board(table, marks, urls.page, "none" if told else "hand"),
        Button(say(language, "play-button-goes-on" if goes_on else "play-button", decision=decision), urls.page),
        *own_time(turn.times),
        *(Aside(sentence) for sentence in turn.times.others),
        *game_blocks.offered_actions(position, seat, table, urls),
        *game_blocks.turn_footer(position, seat, urls),
    ]
    status = table.status()
    if turn.reminds:
        summary = say(language, "headline-reminds", decision=decision, left=turn.times.left)
    elif lead is not None:
        summary = _led(lead.sentence, status)
    elif told and not goes_on:
        summary = status.sentence
    else:
        summary = say(language, "headline-numbered", status=status.sentence, number=decision)
    return numbered_content(position, seat, summary, blocks, _turn_subject(position, seat, lead, turn), decision)


def _led(lead: str, status: Status) -> str:
    """Return a first line that begins with what has happened; of the position it says what there is room for."""
    short = status.short if status.short.endswith((".", "?", "!")) else f"{status.short}."
    said = [f"{lead}. {each}" for each in (status.sentence, short)]
    return next((each for each in said if len(each) <= MAX_SUMMARY_LENGTH), f"{lead}.")


def _turn_subject(position: Position, seat: int, lead: Lead | None, turn: TurnPrompt) -> str:
    language = position.seats[seat].language
    if turn.reminds:
        return reminder_subject(position, seat, language, turn.times.until)
    state: State = "goes-on" if turn.goes_on else "turn"
    return subject_line(position, seat, language, state, "" if lead is None else lead.sentence, turn.times.until)


def started_mail(position: Position, seat: int, recap: Recap, urls: MailLinks, times: Times = NO_TIMES) -> Content:
    """Return the mail that tells a seat which is not to act yet that the game has begun."""
    language = position.seats[seat].language
    table = game_blocks.table_of(position, seat)
    told, marks = recap_blocks(position, seat, table, recap)
    blocks = [
        Paragraph(greeting(position, seat, "started")),
        *told,
        *game_blocks.language_note(position.ruleset.meta, language),
        game_blocks.board(table, marks, urls.table),
        Paragraph(say(language, "started-next")),
        *game_blocks.seat_list(position, seat, urls),
        *others_time(times),
        Small(say(language, "reply-later")),
        *game_blocks.footer(position, seat, urls),
    ]
    summary = say(language, "started-headline", names=_next_names(position, language))
    return game_content(position, seat, summary, blocks, subject_line(position, seat, language, "started"))


def turn_withdrawn_mail(position: Position, seat: int, by: int, urls: MailLinks) -> Content:
    """Return the mail that tells a seat that its turn is none any more: the seat `by` has taken an action back."""
    language = position.seats[seat].language
    blocks = [
        Paragraph(say(language, "withdrawn-next")),
        *game_blocks.language_note(position.ruleset.meta, language),
        game_blocks.board(game_blocks.table_of(position, seat), url=urls.table),
        Small(say(language, "reply-later")),
        *game_blocks.footer(position, seat, urls),
    ]
    summary = say(language, "withdrawn-headline", name=isolated(one_line(position.names_in(language)[by])))
    own = subject_line(position, seat, language, "withdrawn")
    return numbered_content(position, seat, summary, blocks, own, position.decision)


def game_over_mail(position: Position, seat: int, recap: Recap, urls: MailLinks) -> Content:
    """Return the mail that tells a seat how the game ended, and how the points came about."""
    language = position.seats[seat].language
    outcome: Mapping[str, Any] = position.outcome or {}
    points = tuple(game_blocks.points_explained(position, seat)) if outcome.get("scores") is not None else ()
    # Whose victory it is says the summary, and who has how many points the table of points, if there is one.
    in_table = any(isinstance(each, Grid) for each in points)
    lines = lines_of(position, language) if in_table else list(outcome_lines(position, outcome, language))
    table = game_blocks.table_of(position, seat)
    told, marks = recap_blocks(position, seat, table, recap)
    # A game that has not ended by its rules has no table of points that explains what is the reader's alone on it.
    seen = table if outcome.get("scores") is not None else game_blocks.table_of(position, seat, looking_on=True)
    blocks = [
        *told,
        *([Bullets(tuple(lines))] if lines else []),
        *game_blocks.language_note(position.ruleset.meta, language),
        game_blocks.board(seen, marks, urls.table, "over"),
        Button(say(language, "over-link"), urls.table),
        Paragraph(say(language, _how_it_ended(outcome))),
        *points,
        *game_blocks.footer(position, seat, urls, table_link=False),
    ]
    own = over_subject(position, seat, language, table.status().short)
    return game_content(position, seat, _who_won(position, seat, outcome), blocks, own)


def _how_it_ended(outcome: Mapping[str, Any]) -> str:
    if outcome.get("scores") is not None:
        return "over-how"
    return "over-time" if outcome.get("reason") == "time" else "over-resigned"


def said_mail(position: Position, seat: int, remarks: Sequence[Said], urls: MailLinks) -> Content:
    """Return the mail with the remarks of the others at the table (remarks.py)."""
    row = position.seats[seat]
    language, names = row.language, position.names_in(row.language)
    said = [remark_block(language, names[each.seat], _said_at(position, seat, each), each.text) for each in remarks]
    blocks = [
        Paragraph(
            say(
                language,
                "said-greeting",
                name=isolated(player_name(row.name, language)),
                title=position.ruleset.meta.title,
            )
        ),
        *said,
        Button(say(language, "said-table"), urls.table),
        *game_blocks.language_note(position.ruleset.meta, language),
        game_blocks.board(game_blocks.table_of(position, seat), url=urls.table),
        *([Small(say(language, "said-answer"))] if urls.token else []),
        *game_blocks.footer(position, seat, urls, table_link=False),
    ]
    last = remarks[-1]
    words = one_line(last.text)
    key = "said-headline" if words else "said-something"
    summary = say(language, key, name=names[last.seat], words=words)
    own = subject_line(position, seat, language, "message", names[last.seat])
    return numbered_content(position, seat, summary, blocks, own, last.number)


def proposal_mail(position: Position, seat: int, message: ProposalMessage, urls: MailLinks) -> Content:
    """Return the mail about a pause, or with a request to take an action back, which are answered at the table."""
    row = position.seats[seat]
    language, title = row.language, position.ruleset.meta.title
    blocks = [
        Paragraph(say(language, "proposal-greeting", name=isolated(player_name(row.name, language)), title=title)),
        Paragraph(message.explanation),
        Button(say(language, "proposal-answer" if message.asks else "said-table"), urls.table),
        *game_blocks.language_note(position.ruleset.meta, language),
        game_blocks.board(game_blocks.table_of(position, seat), url=urls.table),
        *game_blocks.footer(position, seat, urls, table_link=False),
    ]
    own = subject_line(position, seat, language, message.about)
    return game_content(position, seat, message.headline, blocks, own)


@dataclass(frozen=True, slots=True)
class ReplyOutcome:
    """The outcome of a player's mail to a game: a headline, more sentences, and the address that takes the action back.

    `quotes` are words of that mail below the line that says what became of them. It is `refused` if the request could
    not be carried out, or not be understood.
    """

    headline: str
    sentences: Sequence[str] = ()
    undo: str | None = None
    refused: bool = False
    quotes: Sequence[tuple[str, str]] = ()


def receipt_mail(
    position: Position, seat: int, answer: ReplyOutcome, urls: MailLinks, times: Times = NO_TIMES
) -> Content:
    """Return the answer to a player's mail to the game: its outcome, and the table now; `times` is as in turn mails."""
    language, awaited = position.seats[seat].language, seat in position.awaited
    table = game_blocks.table_of(position, seat)
    blocks = [
        *game_blocks.language_note(position.ruleset.meta, language),
        *(Paragraph(sentence) for sentence in answer.sentences),
        *(Quote(head, words) for head, words in answer.quotes),
        *([Hyperlink(say(language, "receipt-undo"), answer.undo)] if answer.undo else []),
        Paragraph(table.status().sentence if awaited else _who_is_next(position, language)),
        game_blocks.board(table, url=urls.page if awaited else urls.table),
        *([Button(say(language, "play-button", decision=position.decision), urls.page)] if awaited else []),
        *(own_time(times) if awaited else ()),
        *(game_blocks.offered_actions(position, seat, table, urls) if awaited else ()),
        *(game_blocks.turn_footer(position, seat, urls) if awaited else game_blocks.footer(position, seat, urls)),
    ]
    own = subject_line(position, seat, language, "receipt")
    return numbered_content(position, seat, answer.headline, blocks, own, position.decision)


def _dropped(turn: TurnPrompt, language: str) -> Iterator[Block]:
    if turn.dropped:
        yield Paragraph(say(language, "orders-dropped"))
        yield Bullets(tuple(turn.dropped))


def _who_won(position: Position, seat: int, outcome: Mapping[str, Any]) -> str:
    language, winners = position.seats[seat].language, outcome.get("winners", ())
    names = position.everybody_in(language)
    key = "nobody" if not winners else "shared" if len(winners) > 1 else "won" if seat in winners else "lost"
    return say(language, f"over-{key}", names=listed([names[winner] for winner in winners], language))


def _who_is_next(position: Position, language: str) -> str:
    if position.game.status != "running":
        return f"{say(language, 'over')}."
    return say(language, "receipt-wait", names=_next_names(position, language))


def _next_names(position: Position, language: str) -> str:
    everybody = position.everybody_in(language)
    return listed([one_line(everybody[at]) for at in sorted(position.to_act)], language)


def _said_at(position: Position, seat: int, remark: Said) -> str:
    return clock_time(remark.at, position.seats[seat].language, position.seats[seat].time_zone)


# Recap of a turn in a mail: its weightiest event, the newest sentences, and their marks for the board.

MAX_RECAP_SENTENCES: Final = 3
MAX_RECAP_LENGTH: Final = 120
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


_SHARED_HEADLINES: Final[Mapping[type[SharedEvent], tuple[int, str]]] = {
    SeatResigned: (95, "headline-resigned"),
    SeatHandedOver: (94, "headline-handed-over"),
    ActionTakenBack: (1, "headline-taken-back"),
}
"""Weights and texts of what can happen in every game, among those of a ruleset's own events."""


def lead_of(position: Position, seat: int, recap: Recap) -> Lead | None:
    """Return the weightiest event of the recap; None if there is nothing to tell but whose turn it is.

    A subject is public, so event and sentence follow from what a spectator may know.
    """
    language = position.seats[seat].language
    names = position.everybody_in(language)
    played = [each for each in recap.recorded if not isinstance(each.event, (GameStarted, SharedEvent))]
    table = game_blocks.table_of(position, seat, looking_on=True)
    told = table.headlines([(each.event, each.seat) for each in played], seat)
    found = [(each.weight, played[each.event].seq, each.sentence) for each in told]
    for each in recap.recorded:
        weight, key = _SHARED_HEADLINES.get(type(each.event), (0, ""))
        if key and each.event.seat != seat:
            found.append((weight, each.seq, say(language, key, name=names[each.event.seat])))
    _, seq, text = max(found, default=(0, 0, ""))
    return Lead(seq, text) if text else None


def recap_blocks(
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
        if isinstance(each.event, SharedEvent) and (text := _shared_sentence(position, seat, each)):
            yield _Sentence(each.seq, each.seq, text)


def _shared_sentence(position: Position, seat: int, each: Recorded) -> str:
    return sentence(position, each.event, seat, position.seats[seat].language)


def _newest(told: Sequence[_Sentence], leads: int) -> Sequence[_Sentence]:
    """Return the sentences for which there is room: the newest with marks, that of the event that leads before them.

    Without marks the event that leads is as any other: the first line tells it. A third sentence is told only if it
    has marks.
    """
    by_weight = sorted(told, key=lambda each: (not each.marks, not each.first <= leads <= each.seq, -each.seq))
    kept: list[_Sentence] = []
    for each in by_weight[:MAX_RECAP_SENTENCES]:
        if kept and (
            sum(len(one.text) for one in (*kept, each)) > MAX_RECAP_LENGTH or (len(kept) > 1 and not each.marks)
        ):
            break
        kept.append(each)
    return [each for each in told if each in kept]


# What mails say of pauses, and of requests to take an action back, as long as it is so.


@dataclass(frozen=True, slots=True)
class ProposalMessage:
    """What a mail says in a headline and an explanation, and whether it asks for an answer."""

    about: Literal["pause", "take-back"]
    headline: str
    explanation: str
    asks: bool


def pause_message(position: Position, payload: Mapping[str, Any], now: datetime) -> ProposalMessage | None:
    """Return what is said to a seat of a pause (`seat`, `what`, `until`); None if it is not so any more."""
    seat, what, until = payload["seat"], payload["what"], payload["until"]
    clocks = position.clocks
    if clocks is None or position.game.status != "running" or not _pause_holds(clocks, seat, what, until, now):
        return None
    row, proposed = position.seats[seat], clocks.proposed
    values: dict[str, str] = {"until": _until_text(until, position, seat, now)}
    if what == "proposed" and proposed is not None:
        values["name"] = position.names_in(row.language)[proposed.seat]
    headline, explanation = f"pause-mail-{what}", f"pause-mail-{what}-what"
    return ProposalMessage(
        "pause", say(row.language, headline, **values), say(row.language, explanation), what == "proposed"
    )


def take_back_message(
    db: Connection, position: Position, payload: Mapping[str, Any], now: datetime
) -> ProposalMessage | None:
    """Return what is said to a seat (`seat`, `first`) of a request; None if it is over, or the seat has agreed."""
    seat, asked, clocks = payload["seat"], play.standing_take_back_request(db, position, now), position.clocks
    if clocks is None or asked is None or asked.first != payload["first"] or seat in asked.agreed:
        return None
    language, until = (
        position.seats[seat].language,
        _until_text(play.take_back_request_ends(clocks, asked), position, seat, now),
    )
    headline = say(language, "take-back-mail", name=position.names_in(language)[asked.seat])
    return ProposalMessage("take-back", headline, say(language, "take-back-mail-what", until=until), asks=True)


def _pause_holds(clocks: Clocks, seat: int, what: str, until: int, now: datetime) -> bool:
    if what == "proposed":
        proposed = pause_proposal(clocks, milliseconds(now))
        return proposed is not None and proposed.until == until and seat not in proposed.agreed
    if what == "begun":
        return clocks.paused is not None and clocks.paused.until == until
    return clocks.paused is None


def _until_text(at: int, position: Position, seat: int, now: datetime) -> str:
    row = position.seats[seat]
    return instant_text(row.language, row.time_zone, instant(at), now)


# Remarks of other players at a table, as they may appear in a mail.

_PLAYERS_MET: Final = text("""
select distinct other.player_id from seat me join game g on g.id = me.game_id and g.status = 'finished'
  join seat other on other.game_id = g.id
 where me.player_id = :reader and other.player_id = any(:speakers)
""")


def remarks_of_others(db: Connection, position: Position, seat: int, period: Mapping[str, Any]) -> list[Said]:
    """Return the remarks of the other seats between two moments (`since` and `until`, Unix seconds), in order.

    Their text is harmless. It is '' if the seat's player has never finished a game with the speaker: such remarks are
    shown on the page of the table only.
    """
    since, until = (datetime.fromtimestamp(period[name], UTC) for name in ("since", "until"))
    player = {row.seat: row.player_id for row in position.seats}
    said = said_in(db, position.game.id, player[seat], since, until)
    remarks = [each for each in said if each.seat != seat]
    asked = {"reader": player[seat], "speakers": [player[each.seat] for each in remarks]}
    met: set[UUID] = set(db.execute(_PLAYERS_MET, asked).scalars())
    return [replace(each, text=strip_links_by_line(each.text) if player[each.seat] in met else "") for each in remarks]


def remark_block(language: str, name: str, at: str, words: str, before: str = "") -> Block:
    """Return a remark as a block: its words, or only that there is one. `before` is put in front of it."""
    if words:
        return Quote(before + say(language, "said-head", name=name, at=at), words)
    return Paragraph(f"{before}{say(language, 'said-something', name=name)} ({at}). {say(language, 'said-unread')}")


def send_turn_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `decision`, `seat`, maybe `goes_on`), if the decision is still due.

    One that is about a `step` of the answer, taken at that version, is not sent after another one.

    Each attempt has a new link, and the same Message-ID. Raises as `Mailer.send` does.
    """
    seat, decision = row.payload["seat"], row.payload["decision"]
    with open_draft(context, row, seat, lambda position: is_turn_due(position, seat, decision)) as draft:
        step = row.payload.get("step")
        if draft is None or (step is not None and has_acted_since(draft.db, row.game_id, seat, step)):
            return "skipped"
        recap = draft.recap
        dropped = dropped_now(draft.db, draft.position, seat, draft.position.seats[seat].language)
    turn = TurnPrompt(row.payload.get("goes_on", False), times=draft.times, dropped=dropped)
    return send_draft(context, row, draft, "turn", turn_mail(draft.position, seat, recap, draft.urls, turn))


def send_started_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`) that says that a game has begun, until the seat is to act.

    The turn mail says all this, too. Raises as `Mailer.send` does.
    """
    seat = row.payload["seat"]
    with open_draft(context, row, seat, lambda position: _is_waiting(position, seat)) as draft:
        if draft is None or not (recap := draft.recap).since_start:
            return "skipped"
    return send_draft(
        context, row, draft, "started", started_mail(draft.position, seat, recap, draft.urls, draft.times)
    )


def send_turn_withdrawn_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`, `by`) that says that a turn is none any more.

    It has nothing to say to a seat that is to act again. Raises as `Mailer.send` does.
    """
    seat = row.payload["seat"]
    with open_draft(context, row, seat, lambda position: _is_waiting(position, seat)) as draft:
        if draft is None:
            return "skipped"
    return send_draft(
        context, row, draft, "turn", turn_withdrawn_mail(draft.position, seat, row.payload["by"], draft.urls)
    )


def send_game_over_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`) that says how the game ended. Raises as `Mailer.send` does."""
    seat = row.payload["seat"]
    with open_draft(context, row, seat, lambda position: position.game.status == "finished") as draft:
        if draft is None:
            return "skipped"
        recap = draft.recap
    return send_draft(context, row, draft, "over", game_over_mail(draft.position, seat, recap, draft.urls))


def send_said_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`, `since`, `until`) with the remarks of the others at the table.

    Raises as `Mailer.send` does.
    """
    seat = row.payload["seat"]
    with open_draft(context, row, seat, lambda position: seat not in position.resigned) as draft:
        if draft is None:
            return "skipped"
        remarks = remarks_of_others(draft.db, draft.position, seat, row.payload)
        if not remarks:
            return "skipped"
    return send_draft(context, row, draft, "message", said_mail(draft.position, seat, remarks, draft.urls))


def send_pause_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`, `what`, `until`) about a pause, while what it says is so.

    Raises as `Mailer.send` does.
    """
    return _send_proposal(context, row, lambda _, position: pause_message(position, row.payload, clock.now()))


def send_take_back_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `seat`, `first`) that asks a seat for consent, while the request stands.

    Raises as `Mailer.send` does.
    """
    return _send_proposal(context, row, lambda db, position: take_back_message(db, position, row.payload, clock.now()))


def _send_proposal(
    context: MailContext, row: OutboxRow, read: Callable[[Connection, Position], ProposalMessage | None]
) -> Sent:
    seat = row.payload["seat"]
    with open_draft(context, row, seat, lambda position: position.game.status == "running") as draft:
        message = None if draft is None else read(draft.db, draft.position)
        if draft is None or message is None:
            return "skipped"
    return send_draft(context, row, draft, "proposal", proposal_mail(draft.position, seat, message, draft.urls))


def send_receipt(context: MailContext, row: OutboxRow, seat: int, answer: ReplyOutcome) -> Sent:
    """Answer a seat's mail to the game of a row with its outcome and the table. Raises as `Mailer.send` does.

    A refusal has the kind `problem`, so that mail programs can sort it apart.
    """
    with open_draft(context, row, seat, lambda _: True) as draft:
        if draft is None:
            return "skipped"
    kind: Kind = "problem" if answer.refused else "receipt"
    content = receipt_mail(draft.position, seat, answer, draft.urls, draft.times)
    return send_draft(context, row, draft, kind, content)


def _is_waiting(position: Position, seat: int) -> bool:
    return position.game.status == "running" and seat not in position.awaited | frozenset(position.resigned)
