"""The parts that the mails of a game are composed of, as blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from service.handlers import links
from service.log.chain import check
from service.mail.blocks import Block, Board, Bullets, Grid, Heading, Link, Offer, Offers, Paragraph, Rule, Small
from service.mail.menu import Choice, by_kind, excerpt
from service.mail.unsubscribe import Fewer
from service.rules.kernel import Meta
from service.store.position import Position
from service.store.visibility import is_public
from service.texts.catalog import count, say
from service.texts.names import only_in
from service.texts.when import number
from service.views.history import Recap
from service.views.table import spoken, standings

LONGEST_URL: Final = 69
"""Some mail programs cut or fold longer addresses."""
MOST_CHOICES: Final = 24
MOST_LINKED: Final = 10
MOST_EVENTS: Final = 12


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

    def move(self, notation: str) -> str | None:
        """Return the address of the page that previews a move; None if it is too long for a mail."""
        return self._behind(links.code(notation))

    def kind(self, number: int) -> str:
        """Return the address of the page with all actions of a kind; kinds are numbered from 1."""
        return self._behind(f"all/{number}") or self.page

    def _behind(self, path: str) -> str | None:
        url = f"{self.page}/{path}"
        return url if len(url) <= LONGEST_URL else None


def table(position: Position, seat: int) -> Board:
    """Return the table as the seat sees it."""
    row, ruleset = position.seats[seat], position.ruleset
    language = spoken(position, row.language)
    view, names = ruleset.view(position.state, seat), position.names_in(row.language)
    text = ruleset.draw(view, language, names).rstrip()
    return Board(text, ruleset.paint(view, language, names), ruleset.caption(view, language, names))


def language_note(meta: Meta, language: str) -> Iterator[Paragraph]:
    """Yield the sentence that says in which languages the game is, if it does not have the reader's."""
    sentence = only_in(meta, language)
    if sentence is not None:
        yield Paragraph(sentence)


def moves(position: Position, seat: int, choices: Sequence[Choice], urls: MailLinks) -> Iterator[Block]:
    """Yield the seat's legal actions by kind: with links where they are few, as notations where they are many.

    Of more actions than a mail can hold it has some of each kind, and links to the pages with all.
    """
    language = position.seats[seat].language
    groups = by_kind(choices)
    linked = {kind: _linked(group) for kind, group in groups.items()}
    others = {kind: [each for each in group if each not in linked[kind]] for kind, group in groups.items()}
    some = excerpt({kind: rest for kind, rest in others.items() if rest}, MOST_CHOICES - sum(map(len, linked.values())))
    told = sum(map(len, linked.values())) + sum(map(len, some.values()))
    yield Heading(say(language, "moves", count=len(choices)))
    yield Paragraph(say(language, "moves-how"))
    if some:
        excerpted = (say(language, "moves-excerpt", shown=told, count=len(choices)),) if told < len(choices) else ()
        yield Paragraph(" ".join((*excerpted, say(language, "moves-unlinked"))))
    for counted, (kind, group) in enumerate(groups.items(), start=1):
        plain = [Offer(each["notation"], each["text"], urls.move(each["notation"])) for each in linked[kind]]
        yield Offers(kind, (*plain, *(Offer(each["notation"], each["text"]) for each in some.get(kind, ()))))
        if others[kind]:
            yield Link(say(language, "moves-all", kind=kind, count=len(group)), urls.kind(counted))
    # With no-break spaces, so that no line ends inside the notation.
    yield Paragraph(say(language, "reply-how", notation=choices[0]["notation"].replace(" ", "\N{NO-BREAK SPACE}")))


def recap_blocks(position: Position, seat: int, recap: Recap, url: str) -> Iterator[Block]:
    """Yield the newest sentences of the recap, and a link to `url` with the number of earlier ones."""
    language, sentences = position.seats[seat].language, recap.sentences
    if not sentences:
        return
    over = position.game.status == "finished"
    yield Heading(say(language, "recap-last" if over else "recap-start" if recap.since_start else "recap"))
    earlier = len(sentences) - MOST_EVENTS
    yield Bullets(sentences[max(0, earlier) :])
    if earlier > 0:
        yield Link(count(language, "recap-more", earlier), url)


def seats(position: Position, seat: int, urls: MailLinks) -> Iterator[Block]:
    """Yield the players by seat, and the link to the rules."""
    language = position.seats[seat].language
    names = enumerate(position.everybody_in(language))
    lines = (say(language, "seat-you" if at == seat else "seat-line", number=at + 1, name=name) for at, name in names)
    yield Heading(say(language, "seats"))
    yield Bullets(tuple(lines))
    meta = position.ruleset.meta
    yield Link(say(language, "rules-link", title=meta.title), f"{urls.base_url}/rules/{meta.name}")


def explained(position: Position, seat: int) -> Iterator[Block]:
    """Yield the ruleset's explanation of the points of a finished game."""
    language = spoken(position, position.seats[seat].language)
    names = position.names_in(language)
    told: Mapping[str, Any] = standings(position, seat)["standings"]
    for section in position.ruleset.explain(told, seat, language, names):
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
        yield Link(say(language, "share-link" if shared else "table-link"), urls.table, small=True)
    yield from less(language, urls.settings, urls.fewer)
    yield from witness(position, language)


def witness(position: Position, language: str) -> Iterator[Small]:
    """Yield the first digits of the head of the game's hash chain, if it has one.

    With them the reader can prove later that an earlier event was changed.
    """
    if position.game.head is not None:
        head = check(bytes.fromhex(position.game.head))
        yield Small(say(language, "witness", events=number(position.version, language), check=head))


def less(language: str, settings: str, fewer: Fewer | None) -> Iterator[Link]:
    """Yield the links to the mail settings and to fewer mails; the second has the same words as the page behind it."""
    yield Link(say(language, "settings-link"), settings, small=True)
    if fewer is not None:
        yield Link(say(language, f"unsubscribe-kind-{fewer.kind}"), fewer.url, small=True)


def _linked(group: Sequence[Choice]) -> Sequence[Choice]:
    """Return the choices that get a link each: all, or else those of the fewest words, as long as they are few."""
    if len(group) > MOST_LINKED:
        fewest = min(len(choice["notation"].split()) for choice in group)
        group = [choice for choice in group if len(choice["notation"].split()) == fewest]
    return group if len(group) <= MOST_LINKED else ()
