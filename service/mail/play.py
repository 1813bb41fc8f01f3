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
from service.log.recorded import instant, milliseconds
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
from service.mail.compose import MAX_SUMMARY_LENGTH, Kind, game_content, numbered_content
from service.mail.context import MailContext
from service.mail.game_blocks import MailLinks, others_time, own_time
from service.mail.send import Sent, is_turn_due, open_draft, send_draft
from service.mail.sentences import NO_TIMES, Times, greeting, one_line, outcome_lines, player_name
from service.mail.strip_links import strip_links_by_line
from service.mail.subject_line import over_subject, reminder_subject, subject_line
from service.rules.bidi import isolated
from service.rules.kernel import GameStarted
from service.rules.shared_events import ActionTakenBack, SeatHandedOver, SeatResigned, SharedEvent
from service.rules.table_parts import Mark
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
from service.views.listing import lines_of
from service.views.orders import dropped_now

MAX_RECAP_SENTENCES: Final = 3
MAX_RECAP_LENGTH: Final = 120
"""Characters of all sentences together; the first one is told whatever its length."""
_SHARED_HEADLINES: Final[Mapping[type[SharedEvent], tuple[int, str]]] = {
    SeatResigned: (95, "headline-resigned"),
    SeatHandedOver: (94, "headline-handed-over"),
    ActionTakenBack: (1, "headline-taken-back"),
}
"""Weights and text keys of events that every game has, on the scale of the rulesets' headlines."""
_PLAYERS_MET: Final = text("""
select distinct other.player_id from seat me join game g on g.id = me.game_id and g.status = 'finished'
  join seat other on other.game_id = g.id
 where me.player_id = :reader and other.player_id = any(:speakers)
""")


@dataclass(frozen=True, slots=True)
class TurnPrompt:
    """State of a turn: `goes_on` if the player has acted and the turn waits for their next decision.

    `reminds` is for a player who has had the turn mail. `times` are the sentences about time. `dropped` says why each
    order that did not fit this decision was not played.
    """

    goes_on: bool = False
    reminds: bool = False
    times: Times = NO_TIMES
    dropped: Sequence[str] = ()


def send_turn_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the turn mail of an outbox row (payload `decision`, `seat`, maybe `goes_on`), if the decision is still due.

    With `step`, the version at which the seat took a step of its answer, the mail is skipped after a later step. Each
    attempt has a new link and the same Message-ID. Raises as `Mailer.send` does.
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


def turn_mail(position: Position, seat: int, recap: Recap, urls: MailLinks, turn: TurnPrompt) -> Content:
    """Return the mail that asks a seat for its action; `recap` covers the time since the seat's last action.

    The mail takes two screens of a phone. All else is on the page behind the button.
    """
    language, decision, until = position.seats[seat].language, position.decision, turn.times.until
    table = game_blocks.table_of(position, seat)
    lead = None if turn.goes_on else lead_of(position, seat, recap)
    told, marks = recap_blocks(position, seat, table, recap, lead)
    dropped: list[Block] = []
    if turn.dropped:
        dropped = [Paragraph(say(language, "orders-dropped")), Bullets(tuple(turn.dropped))]
    button = say(language, "play-button-goes-on" if turn.goes_on else "play-button", decision=decision)
    blocks = [
        *told,
        *dropped,
        *game_blocks.language_note(position.ruleset.meta, language),
        # Two screens have no room for both what has happened and what the reader holds.
        game_blocks.board(table, marks, urls.page, "none" if told else "hand"),
        Button(button, urls.page),
        *own_time(turn.times),
        *(Aside(sentence) for sentence in turn.times.others),
        *game_blocks.offered_actions(position, seat, table, urls),
        *game_blocks.turn_footer(position, seat, urls),
    ]

    # The first line: the deadline, or the weightiest event and as much of the position as fits, or the position.
    status = table.status()
    if turn.reminds:
        summary = say(language, "headline-reminds", decision=decision, left=turn.times.left)
    elif lead is not None:
        short = status.short if status.short.endswith((".", "?", "!")) else f"{status.short}."
        longest_first = [f"{lead.sentence}. {status.sentence}", f"{lead.sentence}. {short}"]
        summary = next((each for each in longest_first if len(each) <= MAX_SUMMARY_LENGTH), f"{lead.sentence}.")
    elif told and not turn.goes_on:
        summary = status.sentence
    else:
        summary = say(language, "headline-numbered", status=status.sentence, number=decision)

    if turn.reminds:
        own = reminder_subject(position, seat, language, until)
    else:
        why = "" if lead is None else lead.sentence
        own = subject_line(position, seat, language, "goes-on" if turn.goes_on else "turn", why, until)
    return numbered_content(position, seat, summary, blocks, own, decision)


def send_started_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail about the start of a game (payload `seat`), unless the seat's turn mail tells the same.

    Raises as `Mailer.send` does.
    """
    seat = row.payload["seat"]
    with open_draft(context, row, seat, lambda position: _is_waiting(position, seat)) as draft:
        if draft is None or not (recap := draft.recap).since_start:
            return "skipped"
    return send_draft(
        context, row, draft, "started", started_mail(draft.position, seat, recap, draft.urls, draft.times)
    )


def started_mail(position: Position, seat: int, recap: Recap, urls: MailLinks, times: Times = NO_TIMES) -> Content:
    """Return the mail about the start of a game to a seat that does not act first."""
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


def send_turn_withdrawn_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail about a withdrawn turn (payload `seat`, `by`), unless the seat is to act again.

    Raises as `Mailer.send` does.
    """
    seat = row.payload["seat"]
    with open_draft(context, row, seat, lambda position: _is_waiting(position, seat)) as draft:
        if draft is None:
            return "skipped"
    return send_draft(
        context, row, draft, "turn", turn_withdrawn_mail(draft.position, seat, row.payload["by"], draft.urls)
    )


def turn_withdrawn_mail(position: Position, seat: int, by: int, urls: MailLinks) -> Content:
    """Return the mail about a turn that is withdrawn, since the seat `by` has taken an action back."""
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


def send_game_over_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail about the end of a game (payload `seat`). Raises as `Mailer.send` does."""
    seat = row.payload["seat"]
    with open_draft(context, row, seat, lambda position: position.game.status == "finished") as draft:
        if draft is None:
            return "skipped"
        recap = draft.recap
    return send_draft(context, row, draft, "over", game_over_mail(draft.position, seat, recap, draft.urls))


def game_over_mail(position: Position, seat: int, recap: Recap, urls: MailLinks) -> Content:
    """Return the mail about the end of a game, with the points explained."""
    language = position.seats[seat].language
    outcome: Mapping[str, Any] = position.outcome or {}
    is_scored = outcome.get("scores") is not None
    points = tuple(game_blocks.points_explained(position, seat)) if is_scored else ()
    # The summary names the winner, and the table of points, if any, the scores.
    in_table = any(isinstance(each, Grid) for each in points)
    lines = lines_of(position, language) if in_table else list(outcome_lines(position, outcome, language))
    table = game_blocks.table_of(position, seat)
    told, marks = recap_blocks(position, seat, table, recap)
    # A game that has not ended by its rules has no table of points that explains what is the reader's alone on it.
    seen = table if is_scored else game_blocks.table_of(position, seat, looking_on=True)
    how = "over-how" if is_scored else "over-time" if outcome.get("reason") == "time" else "over-resigned"
    blocks = [
        *told,
        *([Bullets(tuple(lines))] if lines else []),
        *game_blocks.language_note(position.ruleset.meta, language),
        game_blocks.board(seen, marks, urls.table, "over"),
        Button(say(language, "over-link"), urls.table),
        Paragraph(say(language, how)),
        *points,
        *game_blocks.footer(position, seat, urls, table_link=False),
    ]
    names, winners = position.everybody_in(language), outcome.get("winners", ())
    won = "nobody" if not winners else "shared" if len(winners) > 1 else "won" if seat in winners else "lost"
    summary = say(language, f"over-{won}", names=listed([names[winner] for winner in winners], language))
    return game_content(position, seat, summary, blocks, over_subject(position, seat, language, table.status().short))


def send_said_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail with the remarks of others (payload `seat`, `since`, `until`), if there are any.

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


def said_mail(position: Position, seat: int, remarks: Sequence[Said], urls: MailLinks) -> Content:
    """Return the mail with the remarks of the others at the table (`remarks_of_others`)."""
    row, title = position.seats[seat], position.ruleset.meta.title
    language, names = row.language, position.names_in(row.language)
    said = [
        remark_block(language, names[each.seat], clock_time(each.at, language, row.time_zone), each.text)
        for each in remarks
    ]
    blocks = [
        Paragraph(say(language, "said-greeting", name=isolated(player_name(row.name, language)), title=title)),
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


def remarks_of_others(db: Connection, position: Position, seat: int, period: Mapping[str, Any]) -> list[Said]:
    """Return the remarks of the other seats between two moments (`since` and `until`, Unix seconds), in order.

    Links are stripped from the texts. A text is '' if the seat's player has never finished a game with the speaker:
    only the page of the table shows such remarks.
    """
    since, until = (datetime.fromtimestamp(period[name], UTC) for name in ("since", "until"))
    player = {row.seat: row.player_id for row in position.seats}
    said = said_in(db, position.game.id, player[seat], since, until)
    remarks = [each for each in said if each.seat != seat]
    asked = {"reader": player[seat], "speakers": [player[each.seat] for each in remarks]}
    met: set[UUID] = set(db.execute(_PLAYERS_MET, asked).scalars())
    return [replace(each, text=strip_links_by_line(each.text) if player[each.seat] in met else "") for each in remarks]


def remark_block(language: str, name: str, at: str, words: str, before: str = "") -> Block:
    """Return a remark as a block: its words, or only that there is one. `before` is put in front."""
    if words:
        return Quote(before + say(language, "said-head", name=name, at=at), words)
    return Paragraph(f"{before}{say(language, 'said-something', name=name)} ({at}). {say(language, 'said-unread')}")


def send_pause_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail about a pause (payload `seat`, `what`, `until`), while true.

    Raises as `Mailer.send` does.
    """
    return _send_proposal(context, row, lambda _, position: pause_message(position, row.payload, clock.now()))


def send_take_back_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail that asks a seat for consent to a take-back (payload `seat`, `first`), while the request stands.

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


def proposal_mail(position: Position, seat: int, message: ProposalMessage, urls: MailLinks) -> Content:
    """Return the mail about a pause or a request to take an action back, both answered at the table."""
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
class ProposalMessage:
    """Headline and explanation of a proposal, and whether the mail asks for an answer."""

    about: Literal["pause", "take-back"]
    headline: str
    explanation: str
    asks: bool


def pause_message(position: Position, payload: Mapping[str, Any], now: datetime) -> ProposalMessage | None:
    """Return the message about a pause (payload `seat`, `what`, `until`); None if no longer true."""
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


def _pause_holds(clocks: Clocks, seat: int, what: str, until: int, now: datetime) -> bool:
    if what == "proposed":
        proposed = pause_proposal(clocks, milliseconds(now))
        return proposed is not None and proposed.until == until and seat not in proposed.agreed
    if what == "begun":
        return clocks.paused is not None and clocks.paused.until == until
    return clocks.paused is None


def take_back_message(
    db: Connection, position: Position, payload: Mapping[str, Any], now: datetime
) -> ProposalMessage | None:
    """Return the message about a request (payload `seat`, `first`); None if it is over or the seat has agreed."""
    seat, asked, clocks = payload["seat"], play.standing_take_back_request(db, position, now), position.clocks
    if clocks is None or asked is None or asked.first != payload["first"] or seat in asked.agreed:
        return None
    language = position.seats[seat].language
    until = _until_text(play.take_back_request_ends(clocks, asked), position, seat, now)
    headline = say(language, "take-back-mail", name=position.names_in(language)[asked.seat])
    return ProposalMessage("take-back", headline, say(language, "take-back-mail-what", until=until), asks=True)


def _until_text(at: int, position: Position, seat: int, now: datetime) -> str:
    row = position.seats[seat]
    return instant_text(row.language, row.time_zone, instant(at), now)


@dataclass(frozen=True, slots=True)
class ReplyOutcome:
    """Outcome of a player's mail to a game: a headline, more sentences, and the address that takes the action back.

    `quotes` are pairs of a line about the result and the player's words. `refused` means not carried out or not
    understood.
    """

    headline: str
    sentences: Sequence[str] = ()
    undo: str | None = None
    refused: bool = False
    quotes: Sequence[tuple[str, str]] = ()


def send_receipt(context: MailContext, row: OutboxRow, seat: int, answer: ReplyOutcome) -> Sent:
    """Answer a seat's mail to the game of a row. Raises as `Mailer.send` does.

    A refusal has the kind `problem`, so that mail programs can sort it apart.
    """
    with open_draft(context, row, seat, lambda _: True) as draft:
        if draft is None:
            return "skipped"
    kind: Kind = "problem" if answer.refused else "receipt"
    content = receipt_mail(draft.position, seat, answer, draft.urls, draft.times)
    return send_draft(context, row, draft, kind, content)


def receipt_mail(
    position: Position, seat: int, answer: ReplyOutcome, urls: MailLinks, times: Times = NO_TIMES
) -> Content:
    """Return the answer to a player's mail: its outcome, and the table now; `times` is as in turn mails."""
    language, awaited = position.seats[seat].language, seat in position.awaited
    table = game_blocks.table_of(position, seat)
    if awaited:
        state = table.status().sentence
    elif position.game.status == "running":
        state = say(language, "receipt-wait", names=_next_names(position, language))
    else:
        state = f"{say(language, 'over')}."
    blocks = [
        *game_blocks.language_note(position.ruleset.meta, language),
        *(Paragraph(sentence) for sentence in answer.sentences),
        *(Quote(head, words) for head, words in answer.quotes),
        *([Hyperlink(say(language, "receipt-undo"), answer.undo)] if answer.undo else []),
        Paragraph(state),
        game_blocks.board(table, url=urls.page if awaited else urls.table),
        *([Button(say(language, "play-button", decision=position.decision), urls.page)] if awaited else []),
        *(own_time(times) if awaited else ()),
        *(game_blocks.offered_actions(position, seat, table, urls) if awaited else ()),
        *(game_blocks.turn_footer(position, seat, urls) if awaited else game_blocks.footer(position, seat, urls)),
    ]
    own = subject_line(position, seat, language, "receipt")
    return numbered_content(position, seat, answer.headline, blocks, own, position.decision)


@dataclass(frozen=True, slots=True)
class Lead:
    """First sentence of a mail, in the present without a full stop, and its event's number in the log."""

    seq: int
    sentence: str


def lead_of(position: Position, seat: int, recap: Recap) -> Lead | None:
    """Return the weightiest event of the recap; None without such an event.

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
    """Return the newest sentences of the recap as a block, if any, and their marks.

    A sentence with a mark on the board has a number. The marked sentence of the leading event is always included.
    """
    language = position.seats[seat].language
    told = sorted(_sentences(position, seat, table, recap), key=lambda each: each.seq)
    if position.outcome is not None and position.outcome.get("scores") is not None:
        # The mail tells the end anyway: only changes of the board are news.
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


@dataclass(frozen=True, slots=True)
class _Sentence:
    """Sentence of a recap: the numbers of its first and last event in the log, and the marks of its events."""

    first: int
    seq: int
    text: str
    marks: tuple[Mark, ...] = ()


def _sentences(position: Position, seat: int, table: Table, recap: Recap) -> Iterator[_Sentence]:
    played = [each for each in recap.recorded if not isinstance(each.event, (GameStarted, SharedEvent))]
    facts = [(each.event, each.seat) for each in played]
    places, language = table.board().places, position.seats[seat].language
    marks = [mark for mark in table.changes(facts) if mark.at in places]
    for line in table.story(facts):
        own = tuple(mark for mark in marks if line.first <= mark.event <= line.last)
        yield _Sentence(played[line.first].seq, played[line.last].seq, line.sentence, own)
    for each in recap.recorded:
        if isinstance(each.event, SharedEvent) and (told := sentence(position, each.event, seat, language)):
            yield _Sentence(each.seq, each.seq, told)


def _newest(told: Sequence[_Sentence], leads: int) -> Sequence[_Sentence]:
    """Return the sentences for which there is room: the leading event's if marked, then the newest with marks.

    Without marks the leading event has no precedence, since the first line tells it. A third sentence needs marks.
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


def _is_waiting(position: Position, seat: int) -> bool:
    return position.game.status == "running" and seat not in position.awaited | frozenset(position.resigned)


def _next_names(position: Position, language: str) -> str:
    everybody = position.everybody_in(language)
    return listed([one_line(everybody[at]) for at in sorted(position.to_act)], language)
