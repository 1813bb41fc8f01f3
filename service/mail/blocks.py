"""What a mail says, block by block: both its parts, plain text and HTML, are written from the same blocks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of what follows."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences that belong together."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """Sentences, each an item of a list."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Button:
    """The one thing that a mail is there for; `label` says what following the address does."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Link:
    """An address to follow, and what is found there; in small print if `small`."""

    label: str
    url: str
    small: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """An action that can be chosen: its notation, what it means, and the address of its page if it has one here."""

    notation: str
    text: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Offers:
    """Actions of one kind under its name."""

    kind: str
    items: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The table: as text of at most 72 columns, as a picture (SVG), and in one sentence of at most 250 characters."""

    text: str
    svg: str
    caption: str


@dataclass(frozen=True, slots=True)
class Quote:
    """What somebody has said, in their own words; `head` says who, and when, up to the colon."""

    head: str
    words: str


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows under a header, the first column being names and the others mostly numbers."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Small:
    """Small print."""

    text: str


@dataclass(frozen=True, slots=True)
class Rule:
    """What lies between the mail and its small print."""


Block = Heading | Paragraph | Bullets | Button | Link | Offers | Board | Quote | Grid | Small | Rule


@dataclass(frozen=True, slots=True)
class Content:
    """A whole mail: its first line (`summary`), shown by mail programs beside the subject, and the blocks after it.

    `apart` is the subject that it has, if any, for a reader who wants no two mails of a game to be put together.
    """

    language: str
    subject: str
    summary: str
    blocks: tuple[Block, ...]
    apart: str | None = None
