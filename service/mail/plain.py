"""Writes blocks as plain text.

No line can be mistaken for a command in a reply that quotes it: a notation is followed by its meaning, each line of a
remark begins with a bar, and no paragraph ends in a line of a single word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from service.mail.blocks import (
    Aside,
    Block,
    BoardPicture,
    Bullets,
    Button,
    Content,
    Due,
    Grid,
    Happened,
    Heading,
    Hyperlink,
    Links,
    Offers,
    Paragraph,
    Quote,
    Rule,
    Small,
)
from service.rules.bidi import columns, short
from service.rules.typography import LINE_COLUMNS, break_lines


def text_part(content: Content) -> str:
    """Return the mail as text, in lines of at most 72 columns; each address has a line of its own."""
    return "\n".join(_spaced((Paragraph(content.summary), *content.blocks))) + "\n"


def _spaced(blocks: Sequence[Block]) -> Iterable[str]:
    """Yield the texts of the blocks, with an empty line between two blocks unless the first is a heading."""
    written = [(block, _WRITE[type(block)](block)) for block in blocks]
    # A board that no text shows is a picture alone.
    shown = [(block, text) for block, text in written if text]
    for number, (_, text) in enumerate(shown):
        if number and not isinstance(shown[number - 1][0], Heading):
            yield ""
        yield text


def _wrapped(text: str, first: str = "", rest: str = "") -> str:
    return "\n".join(break_lines(text, first, rest))


def _heading(block: Heading) -> str:
    title = _wrapped(block.text)
    return f"{title}\n{'-' * max(map(len, title.splitlines()), default=0)}"


def _link(block: Button | Hyperlink) -> str:
    return f"{_wrapped(block.label)}\n{block.url}"


def _links(block: Links) -> str:
    return "\n\n".join(_link(link) for link in block.items)


def _offers(block: Offers) -> str:
    lines = []
    for offer in block.items:
        told = " ".join(filter(None, (offer.text, offer.outcome)))
        lines += [_wrapped(f"{offer.notation} = {told}", "  ", "    "), f"  {offer.url}"]
    return "\n".join(lines)


def _happened(block: Happened) -> str:
    numbers = ("" if each.number is None else f"({each.number}) " for each in block.items)
    told = [f"{number}{each.text}" for number, each in zip(numbers, block.items, strict=True)]
    return "\n".join(_wrapped(each, "* ", "    ") for each in (*told, *filter(None, (block.more,))))


def _quote(block: Quote) -> str:
    said = [_wrapped(line, "| ", "| ") for line in block.words.splitlines() if line.strip()]
    return "\n".join([_wrapped(block.head), *said])


def _grid(block: Grid) -> str:
    rows = [block.header, *block.rows]
    wide = [max(len(row[column]) for row in rows) for column in range(1, len(block.header))]
    most = LINE_COLUMNS - sum(wide) - 2 * len(wide)
    first = min(most, max(columns(row[0]) for row in rows))
    return "\n".join(
        short(row[0], most)
        + " " * (first - min(most, columns(row[0])))
        + "".join(f"  {cell:>{width}}" for cell, width in zip(row[1:], wide, strict=True))
        for row in rows
    )


_WRITE: Final[dict[type[Any], Callable[[Any], str]]] = {
    Heading: _heading,
    Paragraph: lambda block: _wrapped(block.text),
    Small: lambda block: _wrapped(block.text),
    Bullets: lambda block: "\n".join(_wrapped(item, "* ", "    ") for item in block.items),
    Button: _link,
    Hyperlink: _link,
    Links: _links,
    Offers: _offers,
    Happened: _happened,
    Due: lambda block: _wrapped(block.text),
    Aside: lambda block: _wrapped(block.text),
    BoardPicture: lambda block: block.text,
    Quote: _quote,
    Grid: _grid,
    Rule: lambda _: "-" * LINE_COLUMNS,
}
