"""Blocks that the mails of a game share: board, offered actions, seats, points, footers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal
from uuid import UUID

from service.handlers import links
from service.log.chain import check
from service.mail.blocks import (
    Block,
    BoardPicture,
    Bullets,
    Due,
    Grid,
    Heading,
    Hyperlink,
    Links,
    Offer,
    Offers,
    Paragraph,
    Rule,
    Small,
)
from service.mail.sentences import Times
from service.mail.unsubscribe import Fewer
from service.rules.chance import Chance
from service.rules.kernel import AnyRuleset, Meta, begin, fold
from service.rules.tabletop.picture import NumberedMark, board_picture
from service.rules.tabletop.table import Table
from service.store.games import Position, is_public
from service.texts.catalog import count, say
from service.texts.games import only_in
from service.texts.locales import number
from service.texts.names import unnamed_seat
from service.views.table import spoken, standings

MAX_URL_LENGTH: Final = 69
"""Some mail programs cut or fold longer addresses; such a move gets its short code."""
MAX_OFFERS: Final = 5
BoardWords = Literal["state-and-hand", "hand", "none", "over"]


@dataclass(frozen=True, slots=True)
class MailLinks:
    """The addresses in a mail: that of the service, the game, and the `token` of the reader's link (`links.issue`).

    `token` is None when there is nothing left to play.
    """

    base_url: str
    game: UUID
    token: str | None = None
    fewer: Fewer | None = None
    """The link by which the reader gets fewer mails, if there is one."""

    @property
    def page(self) -> str:
        """The address of the reader's own page of the table."""
        return self.table if self.token is None else f"{self.base_url}/t/{self.token}"

    @property
    def table(self) -> str:
        """The address of the table for a signed-in player."""
        return f"{self.base_url}/games/{self.game}"

    @property
    def settings(self) -> str:
        """The address of the reader's mail settings."""
        return f"{self.base_url}/settings/mail"

    def move(self, notation: str) -> str:
        """Return the address of the page that previews a move."""
        url = f"{self.page}/{links.code(notation)}"
        return url if len(url) <= MAX_URL_LENGTH else f"{self.page}/{links.short_code(notation)}"

    @property
    def all(self) -> str:
        """The address of the page with all legal actions."""
        return f"{self.page}/all/0"


def table_of(position: Position, seat: int, *, looking_on: bool = False) -> Table:
    """Return the table as the ruleset shows it to the seat, or to a spectator in the seat's language."""
    language = position.seats[seat].language
    names, seats, viewer = position.names_in(language), position.game.seats, None if looking_on else seat
    return Table(position.ruleset, position.state, seats, viewer, spoken(position, language), names)


def board(
    table: Table, marks: Sequence[NumberedMark] = (), url: str | None = None, words: BoardWords = "state-and-hand"
) -> BoardPicture:
    """Return the board picture of a table as its reader sees it; the picture leads to `url`.

    `words` is what HTML has of the drawing besides: the first paragraph (state) and the last (hand). When the game is
    `over`, text has the second (board) alone: what the others say of a turn is past, and of points the mail says it.
    """
    sight, ruleset = table.sight, table.ruleset
    text = ruleset.draw(sight.view, sight.language, sight.names).rstrip()
    paragraphs = text.split("\n\n")
    if words == "over" and len(paragraphs) > 2:
        text = paragraphs[1]
    # A board makes room for what is written on it; arrows of the past move none of its pieces.
    written = [each.mark for each in marks if each.mark.kind in {"gain", "loss"} and each.mark.origin is None]
    picture = board_picture(table.board(written), marks, sight.viewer)
    lines = tuple(_state_and_hand(paragraphs, words))
    return BoardPicture(text, picture, ruleset.caption(sight.view, sight.language, sight.names), url, lines)


def _state_and_hand(paragraphs: Sequence[str], words: BoardWords) -> Iterator[str]:
    """Yield the lines of state and hand; an indented line continues the one before."""
    # A drawing of fewer paragraphs has no part beside the board.
    if len(paragraphs) < 3 or words in ("none", "over"):
        return
    state, hand = paragraphs[0].replace("\n", " "), re.sub(r"\n +", " ", paragraphs[-1])
    for line in [*([state] if words == "state-and-hand" else []), *hand.splitlines()]:
        # No-break spaces stay.
        yield re.sub(" +", " ", line).strip(" ")


def language_note(meta: Meta, language: str) -> Iterator[Paragraph]:
    """Yield the note on the languages of the game, if the reader's is not among them."""
    sentence = only_in(meta, language)
    if sentence is not None:
        yield Paragraph(sentence)


def offered_actions(position: Position, seat: int, table: Table, urls: MailLinks) -> Iterator[Block]:
    """Yield the suggested actions of the seat, each with its link, and the hint how to reply."""
    language, ruleset = position.seats[seat].language, position.ruleset
    items = []
    for action, _, gain in table.suggestions(MAX_OFFERS):
        notation = ruleset.notate(action)
        outcome = f"+{gain}" if gain and gain > 0 else ""
        items.append(Offer(notation, table.telling(action).sentence, urls.move(notation), outcome))
    yield Offers(tuple(items))
    # With no-break spaces, so that no line ends inside the notation; after a hyphen at its end one might.
    shortest = min((each.notation for each in items), key=lambda notation: (notation.endswith("-"), len(notation)))
    yield Small(say(language, "reply-how", notation=shortest.replace(" ", "\N{NO-BREAK SPACE}")))


def seat_list(position: Position, seat: int, urls: MailLinks) -> Iterator[Block]:
    """Yield the players by seat, and the link to the rules."""
    language = position.seats[seat].language
    names = enumerate(position.everybody_in(language))
    lines = (say(language, "seat-you" if at == seat else "seat-line", number=at + 1, name=name) for at, name in names)
    yield Heading(say(language, "seats"))
    yield Bullets(tuple(lines))
    meta = position.ruleset.meta
    yield Hyperlink(say(language, "rules-link", title=meta.title), f"{urls.base_url}/rules/{meta.name}")


def points_explained(position: Position, seat: int) -> Iterator[Block]:
    """Yield the first section of the explanation of the points; the page of the game has all sections."""
    language = spoken(position, position.seats[seat].language)
    names = position.names_in(language)
    told: Mapping[str, Any] = standings(position, seat)["standings"]
    for section in position.ruleset.explain(told, seat, language, names)[:1]:
        yield Heading(section.title)
        if section.rows:
            yield Grid(section.head, tuple(section.rows))
        if section.lines:
            yield Bullets(tuple(section.lines))


def footer(position: Position, seat: int, urls: MailLinks, table_link: bool = True) -> Iterator[Block]:
    """Yield the end of every mail of a game: the links to the table and to the settings, and the chain head.

    In a mail with personal links, the link to a public table is marked as one that can be shared. Without `table_link`
    there is no link to the table, because the mail itself has one.
    """
    language = position.seats[seat].language
    yield Rule()
    if urls.token is not None:
        yield Small(say(language, "personal-links"))
    if table_link:
        shared = urls.token is not None and is_public(position)
        yield Hyperlink(say(language, "share-link" if shared else "table-link"), urls.table, small=True)
    yield from fewer_mails(language, urls.settings, urls.fewer)
    yield from chain_head(position, language)


def turn_footer(position: Position, seat: int, urls: MailLinks) -> Iterator[Block]:
    """Yield the end of a mail that asks for an action: all actions, absences, fewer mails, and the chain head."""
    language, state = position.seats[seat].language, position.state
    number_of = len(position.ruleset.legal(state, seat))
    fewer = (
        [] if urls.fewer is None else [Hyperlink(say(language, f"unsubscribe-kind-{urls.fewer.kind}"), urls.fewer.url)]
    )
    if is_public(position):
        yield Hyperlink(say(language, "share-link"), urls.table, small=True)
    yield Links(
        (
            Hyperlink(count(language, "moves-all", number_of), urls.all),
            Hyperlink(say(language, "away-link"), f"{urls.base_url}/settings/away"),
            Hyperlink(say(language, "settings-link"), urls.settings),
            *fewer,
        )
    )
    yield Small(say(language, "personal-links"))
    yield from chain_head(position, language)


def chain_head(position: Position, language: str) -> Iterator[Small]:
    """Yield the first digits of the head of the game's hash chain, if it has one.

    With them the reader can prove later that an earlier event was changed.
    """
    if position.game.head is not None:
        head = check(bytes.fromhex(position.game.head))
        yield Small(say(language, "witness", events=number(position.version, language), check=head))


def fewer_mails(language: str, settings: str, fewer: Fewer | None) -> Iterator[Hyperlink]:
    """Yield the links to the mail settings and to fewer mails; the second has the same words as the page behind it."""
    yield Hyperlink(say(language, "settings-link"), settings, small=True)
    if fewer is not None:
        yield Hyperlink(say(language, f"unsubscribe-kind-{fewer.kind}"), fewer.url, small=True)


def first_board(ruleset: AnyRuleset, seats: int, options: Mapping[str, Any], language: str) -> BoardPicture:
    """Return a board as it may look when a game begins, in a language of the game.

    It is the same for all readers, and no game that is played: its chance is fixed and known.
    """
    state = fold(ruleset, begin(ruleset, seats, options, Chance(bytes(32)), "", [""] * seats))
    names = [unnamed_seat(seat, language) for seat in range(seats)]
    drawn = Table(ruleset, state, seats, None, language, names).board()
    return BoardPicture("", board_picture(drawn), f"{ruleset.meta.title}: {drawn.label}")


def own_time(times: Times) -> Iterator[Block]:
    """Yield the deadline of the reader, if time runs."""
    if times.own:
        yield Due(" ".join(times.own))


def others_time(times: Times) -> Iterator[Block]:
    """Yield the sentences about the time of the others, if any."""
    if times.others:
        yield Small(" ".join(times.others))
