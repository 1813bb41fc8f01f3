"""Composes the mails of a game: content in the player's language, and headers that thread and identify them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any, Final
from uuid import UUID

from service.handlers.talk import Said
from service.mail import pieces
from service.mail.blocks import Aside, Block, Bullets, Button, Content, Due, Grid, Hyperlink, Paragraph, Quote, Small
from service.mail.happened import Lead, happened, leading
from service.mail.letter import Kind, Stamp, digest, domain, letter, sealed
from service.mail.pieces import MailLinks
from service.mail.proposals import ProposalMessage
from service.mail.remarks import remark_block
from service.mail.sentences import called, greeting, one_line, result
from service.mail.subjects import State, numbered, over_subject, reminder_subject, subject
from service.mail.times import NO_TIMES, Times
from service.mail.unsubscribe import Fewer, with_headers
from service.rules.bidi import isolated
from service.rules.table_parts import Status
from service.store.game_row import SeatRow
from service.store.position import Position
from service.texts.catalog import say
from service.texts.locales import listed
from service.texts.when import clock_time
from service.views.history import Recap
from service.views.who_played import lines_of

LONGEST_SUMMARY: Final = 120


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
    table = pieces.table_of(position, seat)
    lead = None if goes_on else leading(position, seat, recap)
    told, marks = happened(position, seat, table, recap, lead)
    blocks = [
        *told,
        *_dropped(turn, language),
        *pieces.language_note(position.ruleset.meta, language),
        # Two screens have no room for both what has happened and what the reader holds.
        pieces.board(table, marks, urls.page, "none" if told else "hand"),
        Button(say(language, "play-button-goes-on" if goes_on else "play-button", decision=decision), urls.page),
        *own_time(turn.times),
        *(Aside(sentence) for sentence in turn.times.others),
        *pieces.offers(position, seat, table, urls),
        *pieces.turn_footer(position, seat, urls),
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
    return next((each for each in said if len(each) <= LONGEST_SUMMARY), f"{lead}.")


def _turn_subject(position: Position, seat: int, lead: Lead | None, turn: TurnPrompt) -> str:
    language = position.seats[seat].language
    if turn.reminds:
        return reminder_subject(position, seat, language, turn.times.until)
    state: State = "goes-on" if turn.goes_on else "turn"
    return subject(position, seat, language, state, "" if lead is None else lead.sentence, turn.times.until)


def started_mail(position: Position, seat: int, recap: Recap, urls: MailLinks, times: Times = NO_TIMES) -> Content:
    """Return the mail that tells a seat which is not to act yet that the game has begun."""
    language = position.seats[seat].language
    table = pieces.table_of(position, seat)
    told, marks = happened(position, seat, table, recap)
    blocks = [
        Paragraph(greeting(position, seat, "started")),
        *told,
        *pieces.language_note(position.ruleset.meta, language),
        pieces.board(table, marks, urls.table),
        Paragraph(say(language, "started-next")),
        *pieces.seats(position, seat, urls),
        *others_time(times),
        Small(say(language, "reply-later")),
        *pieces.footer(position, seat, urls),
    ]
    summary = say(language, "started-headline", names=_next_names(position, language))
    return game_content(position, seat, summary, blocks, subject(position, seat, language, "started"))


def turn_withdrawn_mail(position: Position, seat: int, by: int, urls: MailLinks) -> Content:
    """Return the mail that tells a seat that its turn is none any more: the seat `by` has taken an action back."""
    language = position.seats[seat].language
    blocks = [
        Paragraph(say(language, "withdrawn-next")),
        *pieces.language_note(position.ruleset.meta, language),
        pieces.board(pieces.table_of(position, seat), url=urls.table),
        Small(say(language, "reply-later")),
        *pieces.footer(position, seat, urls),
    ]
    summary = say(language, "withdrawn-headline", name=isolated(one_line(position.names_in(language)[by])))
    own = subject(position, seat, language, "withdrawn")
    return numbered_content(position, seat, summary, blocks, own, position.decision)


def game_over_mail(position: Position, seat: int, recap: Recap, urls: MailLinks) -> Content:
    """Return the mail that tells a seat how the game ended, and how the points came about."""
    language = position.seats[seat].language
    outcome: Mapping[str, Any] = position.outcome or {}
    points = tuple(pieces.explained(position, seat)) if outcome.get("scores") is not None else ()
    # Whose victory it is says the summary, and who has how many points the table of points, if there is one.
    in_table = any(isinstance(each, Grid) for each in points)
    lines = lines_of(position, language) if in_table else list(result(position, outcome, language))
    table = pieces.table_of(position, seat)
    told, marks = happened(position, seat, table, recap)
    # A game that has not ended by its rules has no table of points that explains what is the reader's alone on it.
    seen = table if outcome.get("scores") is not None else pieces.table_of(position, seat, looking_on=True)
    blocks = [
        *told,
        *([Bullets(tuple(lines))] if lines else []),
        *pieces.language_note(position.ruleset.meta, language),
        pieces.board(seen, marks, urls.table, "over"),
        Button(say(language, "over-link"), urls.table),
        Paragraph(say(language, _how(outcome))),
        *points,
        *pieces.footer(position, seat, urls, table_link=False),
    ]
    own = over_subject(position, seat, language, table.status().short)
    return game_content(position, seat, _outcome(position, seat, outcome), blocks, own)


def _how(outcome: Mapping[str, Any]) -> str:
    if outcome.get("scores") is not None:
        return "over-how"
    return "over-time" if outcome.get("reason") == "time" else "over-resigned"


def said_mail(position: Position, seat: int, remarks: Sequence[Said], urls: MailLinks) -> Content:
    """Return the mail with the remarks of the others at the table (remarks.py)."""
    row = position.seats[seat]
    language, names = row.language, position.names_in(row.language)
    said = [remark_block(language, names[each.seat], _at(position, seat, each), each.text) for each in remarks]
    blocks = [
        Paragraph(
            say(language, "said-greeting", name=isolated(called(row.name, language)), title=position.ruleset.meta.title)
        ),
        *said,
        Button(say(language, "said-table"), urls.table),
        *pieces.language_note(position.ruleset.meta, language),
        pieces.board(pieces.table_of(position, seat), url=urls.table),
        *([Small(say(language, "said-answer"))] if urls.token else []),
        *pieces.footer(position, seat, urls, table_link=False),
    ]
    last = remarks[-1]
    words = one_line(last.text)
    key = "said-headline" if words else "said-something"
    summary = say(language, key, name=names[last.seat], words=words)
    own = subject(position, seat, language, "message", names[last.seat])
    return numbered_content(position, seat, summary, blocks, own, last.number)


def proposal_mail(position: Position, seat: int, message: ProposalMessage, urls: MailLinks) -> Content:
    """Return the mail about a pause, or with a request to take an action back, which are answered at the table."""
    row = position.seats[seat]
    language, title = row.language, position.ruleset.meta.title
    blocks = [
        Paragraph(say(language, "proposal-greeting", name=isolated(called(row.name, language)), title=title)),
        Paragraph(message.explanation),
        Button(say(language, "proposal-answer" if message.asks else "said-table"), urls.table),
        *pieces.language_note(position.ruleset.meta, language),
        pieces.board(pieces.table_of(position, seat), url=urls.table),
        *pieces.footer(position, seat, urls, table_link=False),
    ]
    own = subject(position, seat, language, message.about)
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
    table = pieces.table_of(position, seat)
    blocks = [
        *pieces.language_note(position.ruleset.meta, language),
        *(Paragraph(sentence) for sentence in answer.sentences),
        *(Quote(head, words) for head, words in answer.quotes),
        *([Hyperlink(say(language, "receipt-undo"), answer.undo)] if answer.undo else []),
        Paragraph(table.status().sentence if awaited else _next(position, language)),
        pieces.board(table, url=urls.page if awaited else urls.table),
        *([Button(say(language, "play-button", decision=position.decision), urls.page)] if awaited else []),
        *(own_time(times) if awaited else ()),
        *(pieces.offers(position, seat, table, urls) if awaited else ()),
        *(pieces.turn_footer(position, seat, urls) if awaited else pieces.footer(position, seat, urls)),
    ]
    own = subject(position, seat, language, "receipt")
    return numbered_content(position, seat, answer.headline, blocks, own, position.decision)


@dataclass(frozen=True, slots=True)
class Addressee:
    """The recipient of a mail of a game, the address for replies, and the link for fewer mails, if there are any.

    The mail is in a thread of its own (`apart`) if the recipient has chosen so.
    """

    game: UUID
    row: SeatRow
    reply_to: str | None = None
    fewer: Fewer | None = None
    apart: bool = False


def addressed(content: Content, kind: Kind, whom: Addressee, stamp: Stamp, replies: bool = False) -> EmailMessage:
    """Return a mail of a game with all its headers: recipient, sender, thread, and the address for replies.

    All mails of a game to a player refer to the same root, which is never sent: mail programs thread by it. Mails that
    stand apart refer to nothing. `replies` says that the mail answers one from the player.
    """
    if whom.row.email is None:
        raise ValueError("a seat without an address cannot be written to")
    if whom.apart:
        content = replace(content, subject=content.apart or content.subject)
    message = letter(Address(called(whom.row.name, whom.row.language), addr_spec=whom.row.email), content, replies)
    if not whom.apart:
        root = f"<g{digest(whom.game, whom.row.player_id)}@{domain(stamp)}>"
        message["In-Reply-To"] = root
        message["References"] = root
    if whom.reply_to is not None:
        message["Reply-To"] = Address("Boardroom", addr_spec=whom.reply_to)
    return sealed(with_headers(message, whom.fewer), stamp, kind, whom.game)


def own_time(times: Times) -> Iterator[Block]:
    """Yield until when the reader has time, if time runs."""
    if times.own:
        yield Due(" ".join(times.own))


def others_time(times: Times) -> Iterator[Block]:
    """Yield what is to be known of the others, if there is anything."""
    if times.others:
        yield Small(" ".join(times.others))


def _dropped(turn: TurnPrompt, language: str) -> Iterator[Block]:
    if turn.dropped:
        yield Paragraph(say(language, "orders-dropped"))
        yield Bullets(tuple(turn.dropped))


def _outcome(position: Position, seat: int, outcome: Mapping[str, Any]) -> str:
    language, winners = position.seats[seat].language, outcome.get("winners", ())
    names = position.everybody_in(language)
    key = "nobody" if not winners else "shared" if len(winners) > 1 else "won" if seat in winners else "lost"
    return say(language, f"over-{key}", names=listed([names[winner] for winner in winners], language))


def _next(position: Position, language: str) -> str:
    if position.game.status != "running":
        return f"{say(language, 'over')}."
    return say(language, "receipt-wait", names=_next_names(position, language))


def _next_names(position: Position, language: str) -> str:
    everybody = position.everybody_in(language)
    return listed([one_line(everybody[at]) for at in sorted(position.to_act)], language)


def _at(position: Position, seat: int, remark: Said) -> str:
    return clock_time(remark.at, position.seats[seat].language, position.seats[seat].time_zone)


def game_content(
    position: Position, seat: int, summary: str, blocks: Iterable[Block], own: str, apart: str | None = None
) -> Content:
    """Return a mail of a game with its own subject; `apart` is that for a reader who wants no threads, if another."""
    language = position.seats[seat].language
    shown = summary if len(summary) <= LONGEST_SUMMARY else f"{summary[: LONGEST_SUMMARY - 2].rstrip()} …"
    return Content(language, own, shown, tuple(blocks), apart or own)


def numbered_content(
    position: Position, seat: int, summary: str, blocks: Iterable[Block], own: str, number: int
) -> Content:
    """Return a mail of a game of which there may be several with one subject; `number` tells those apart."""
    apart = numbered(own, number, position.seats[seat].language)
    return game_content(position, seat, summary, blocks, own, apart)
