"""The content of a mail as blocks. Both parts of the mail, plain text and HTML, are written from the same blocks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of the blocks that follow."""

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
    """The main action of a mail: a link shown as a button. `label` says what the link does."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Hyperlink:
    """A link with its label; in small print if `small`."""

    label: str
    url: str
    small: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """A legal action: notation, sentence, the address of its page, and what comes of it."""

    notation: str
    text: str
    url: str
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Offers:
    """Legal actions of which the reader may play one."""

    items: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence about what has happened, and the number of its mark on the board; None if it has none."""

    text: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Happened:
    """What has happened, the newest last; `more` says how many earlier sentences there are."""

    items: tuple[Told, ...]
    more: str = ""


@dataclass(frozen=True, slots=True)
class Due:
    """Until when the reader has time."""

    text: str


@dataclass(frozen=True, slots=True)
class Aside:
    """A sentence for those who read text: in HTML the page behind the button says it."""

    text: str


@dataclass(frozen=True, slots=True)
class Links:
    """Links side by side in small print."""

    items: tuple[Hyperlink, ...]


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """The table: as text of at most 72 columns, its board as a picture (SVG), and in at most 250 characters.

    `url` is where the picture leads, None for nowhere. `lines` are those of the text that HTML shows under the
    picture: what the reader holds, which is not on the board.
    """

    text: str
    svg: str
    caption: str
    url: str | None = None
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Quote:
    """A player's remark, verbatim. `head` is the line before it, up to the colon: who said it, and when."""

    head: str
    words: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with a header row. The first column has names, the others mostly numbers."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Small:
    """Small print."""

    text: str


@dataclass(frozen=True, slots=True)
class Rule:
    """The line between the mail and its small print."""


Block = (
    Heading
    | Paragraph
    | Bullets
    | Button
    | Hyperlink
    | Links
    | Offers
    | Happened
    | Due
    | Aside
    | BoardPicture
    | Quote
    | Grid
    | Small
    | Rule
)


@dataclass(frozen=True, slots=True)
class Content:
    """A whole mail: subject, first line (`summary`), which mail programs show after the subject, and blocks.

    `apart` is the subject, if any, for a reader who wants each mail of a game in a thread of its own.
    """

    language: str
    subject: str
    summary: str
    blocks: tuple[Block, ...]
    apart: str | None = None
