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
from service.mail.blocks import Block, Bullets, Button, Content, Heading, Link, Paragraph
from service.mail.letter import Kind, Stamp, digest, domain, letter, sealed
from service.mail.menu import Choice
from service.mail.pieces import MailLinks
from service.mail.proposals import ProposalMessage
from service.mail.remarks import remark_block
from service.mail.sentences import greeting, one_line, result
from service.mail.times import NO_TIMES, Times
from service.mail.unsubscribe import Fewer, with_headers
from service.rules.isolation import isolated
from service.store.game_row import SeatRow
from service.store.position import Position
from service.texts.catalog import say
from service.texts.when import clock_time, listed
from service.views.history import Recap

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


def turn_mail(
    position: Position, seat: int, recap: Recap, choices: Sequence[Choice], urls: MailLinks, turn: TurnPrompt
) -> Content:
    """Return the mail that asks a seat for its action.

    `recap` is what has happened since the seat's last action, `choices` are its legal actions.
    """
    goes_on, language, decision = turn.goes_on, position.seats[seat].language, position.decision
    kind = "-reminds" if turn.reminds else "-goes-on" if goes_on else "" if recap.headline else "-none"
    blocks = [
        Paragraph(greeting(position, seat, "reminds" if turn.reminds else "goes-on" if goes_on else "greeting")),
        *_own_time(turn.times),
        *_dropped(turn, language),
        # Near the top, for small screens: the page behind it shows everything that follows.
        Button(say(language, "play-button-goes-on" if goes_on else "play-button", decision=decision), urls.page),
        *pieces.language_note(position.ruleset.meta, language),
        pieces.table(position, seat),
        *pieces.recap_blocks(position, seat, recap, urls.page),
        *others_time(turn.times, language),
        *pieces.moves(position, seat, choices, urls),
        *(pieces.seats(position, seat, urls) if recap.since_start else ()),
    ]
    summary = say(language, f"headline{kind}", decision=decision, headline=recap.headline, left=turn.times.left)
    apart = "subject-reminds" if turn.reminds else "subject-goes-on" if goes_on else "subject-turn"
    own = say(language, apart, number=decision)
    return game_content(position, seat, summary, (*blocks, *pieces.footer(position, seat, urls)), own)


def started_mail(position: Position, seat: int, recap: Recap, urls: MailLinks, times: Times = NO_TIMES) -> Content:
    """Return the mail that tells a seat which is not to act yet that the game has begun."""
    language = position.seats[seat].language
    blocks = [
        Paragraph(greeting(position, seat, "started")),
        Paragraph(say(language, "started-next")),
        *pieces.language_note(position.ruleset.meta, language),
        pieces.table(position, seat),
        *pieces.seats(position, seat, urls),
        *pieces.recap_blocks(position, seat, recap, urls.table),
        *others_time(times, language),
        Paragraph(say(language, "reply-later")),
        *pieces.footer(position, seat, urls),
    ]
    summary = say(language, "started-headline", names=_next_names(position, language))
    return game_content(position, seat, summary, blocks, say(language, "subject-started"))


def game_over_mail(position: Position, seat: int, recap: Recap, urls: MailLinks) -> Content:
    """Return the mail that tells a seat how the game ended, and how the points came about."""
    language = position.seats[seat].language
    outcome: Mapping[str, Any] = position.outcome or {}
    scored = outcome.get("scores") is not None
    blocks = [
        Paragraph(greeting(position, seat, "over-greeting")),
        Bullets(tuple(result(position, outcome, language))),
        Button(say(language, "over-link"), urls.table),
        *pieces.language_note(position.ruleset.meta, language),
        pieces.table(position, seat),
        Paragraph(say(language, _how(outcome))),
        *(pieces.explained(position, seat) if scored else ()),
        *pieces.recap_blocks(position, seat, recap, urls.table),
        *pieces.footer(position, seat, urls, table_link=False),
    ]
    return game_content(position, seat, _outcome(position, seat, outcome), blocks, say(language, "subject-over"))


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
        Paragraph(say(language, "said-greeting", name=isolated(one_line(row.name)), title=position.ruleset.meta.title)),
        *said,
        *([Paragraph(say(language, "said-answer"))] if urls.token else []),
        Button(say(language, "said-table"), urls.table),
        *pieces.language_note(position.ruleset.meta, language),
        pieces.table(position, seat),
        *pieces.footer(position, seat, urls, table_link=False),
    ]
    last = remarks[-1]
    words = one_line(last.text)
    key = "said-headline" if words else "said-something"
    summary = say(language, key, name=names[last.seat], words=words)
    return game_content(position, seat, summary, blocks, say(language, "subject-message", number=last.number))


def proposal_mail(position: Position, seat: int, message: ProposalMessage, urls: MailLinks) -> Content:
    """Return the mail about a pause, or with a request to take an action back, which are answered at the table."""
    row = position.seats[seat]
    language, title = row.language, position.ruleset.meta.title
    blocks = [
        Paragraph(say(language, "proposal-greeting", name=isolated(one_line(row.name)), title=title)),
        Paragraph(f"{message.headline} {message.explanation}"),
        Button(say(language, "proposal-answer" if message.asks else "said-table"), urls.table),
        *pieces.language_note(position.ruleset.meta, language),
        pieces.table(position, seat),
        *pieces.footer(position, seat, urls, table_link=False),
    ]
    return game_content(position, seat, message.headline, blocks, say(language, f"subject-{message.about}"))


@dataclass(frozen=True, slots=True)
class ReplyOutcome:
    """The outcome of a player's mail to a game: a headline, more sentences, and the address that takes the action back.

    It is `refused` if the request could not be carried out, or not be understood.
    """

    headline: str
    sentences: Sequence[str] = ()
    undo: str | None = None
    refused: bool = False


def receipt_mail(
    position: Position,
    seat: int,
    answer: ReplyOutcome,
    choices: Sequence[Choice],
    urls: MailLinks,
    times: Times = NO_TIMES,
) -> Content:
    """Return the answer to a player's mail to the game: its outcome, and the table now.

    `choices` are the seat's legal actions, none while it is not its move; `times` is what is to be said of time.
    """
    language = position.seats[seat].language
    blocks = [
        Paragraph(greeting(position, seat, "receipt-greeting")),
        *pieces.language_note(position.ruleset.meta, language),
        *(Paragraph(sentence) for sentence in answer.sentences),
        *([Link(say(language, "receipt-undo"), answer.undo)] if answer.undo else []),
        Paragraph(_next(position, language, choices)),
        *(_own_time(times) if choices else ()),
        *([Button(say(language, "play-button", decision=position.decision), urls.page)] if choices else []),
        pieces.table(position, seat),
        *(pieces.moves(position, seat, choices, urls) if choices else ()),
        *pieces.footer(position, seat, urls),
    ]
    own = say(language, "subject-receipt", number=position.decision)
    return game_content(position, seat, answer.headline, blocks, own)


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

    All mails of a game to a player refer to the same root, which is never sent. Mails that stand apart have their
    own subject and refer to nothing. `replies` says that the mail answers one from the player.
    """
    if whom.row.email is None:
        raise ValueError("a seat without an address cannot be written to")
    if whom.apart:
        content = replace(content, subject=content.apart or content.subject)
    message = letter(Address(one_line(whom.row.name), addr_spec=whom.row.email), content, replies)
    if not whom.apart:
        root = f"<g{digest(whom.game, whom.row.player_id)}@{domain(stamp)}>"
        message["In-Reply-To"] = root
        message["References"] = root
    if whom.reply_to is not None:
        message["Reply-To"] = Address("Boardroom", addr_spec=whom.reply_to)
    return sealed(with_headers(message, whom.fewer), stamp, kind, whom.game)


def _own_time(times: Times) -> Iterator[Block]:
    if times.own:
        yield Paragraph(" ".join(times.own))


def others_time(times: Times, language: str) -> Iterator[Block]:
    """Yield what is to be known of the others, if there is anything."""
    if times.others:
        yield Heading(say(language, "times-others"))
        yield Bullets(times.others)


def _dropped(turn: TurnPrompt, language: str) -> Iterator[Block]:
    if turn.dropped:
        yield Paragraph(say(language, "orders-dropped"))
        yield Bullets(tuple(turn.dropped))


def _outcome(position: Position, seat: int, outcome: Mapping[str, Any]) -> str:
    language, winners = position.seats[seat].language, outcome.get("winners", ())
    names = position.everybody_in(language)
    key = "nobody" if not winners else "shared" if len(winners) > 1 else "won" if seat in winners else "lost"
    return say(language, f"over-{key}", names=listed([names[winner] for winner in winners], language))


def _next(position: Position, language: str, choices: Sequence[Choice]) -> str:
    if choices:
        return say(language, "receipt-next")
    if position.game.status != "running":
        return f"{say(language, 'over')}."
    return say(language, "receipt-wait", names=_next_names(position, language))


def _next_names(position: Position, language: str) -> str:
    everybody = position.everybody_in(language)
    return listed([one_line(everybody[at]) for at in sorted(position.to_act)], language)


def _at(position: Position, seat: int, remark: Said) -> str:
    return clock_time(remark.at, position.seats[seat].language, position.seats[seat].time_zone)


def game_content(position: Position, seat: int, summary: str, blocks: Iterable[Block], own: str) -> Content:
    """Return a mail of a game, with its subject; `own` is the subject of this mail where each stands apart."""
    language = position.seats[seat].language
    shown = summary if len(summary) <= LONGEST_SUMMARY else f"{summary[: LONGEST_SUMMARY - 2].rstrip()} …"
    return Content(language, subject(position, language), shown, tuple(blocks), subject(position, language, own))


def subject(position: Position, language: str, own: str | None = None) -> str:
    """Return the subject, which is the same for every mail of the game, because mail programs thread by it.

    With `own`, the subject of this mail alone, it is the subject of a mail that stands apart.
    """
    players = " – ".join(one_line(name) for name in position.names_in(language))
    game = f"{position.ruleset.meta.title} #{position.game.id.hex[-6:]}"
    return f"{game}: {players}" if own is None else f"{game}, {own}: {players}"
