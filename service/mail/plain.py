"""Writes blocks as plain text.

No line of it can be taken for a reply: a notation is followed by its meaning, what others say has a bar before every
line, and no word stands alone at the end of a paragraph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from textwrap import wrap
from typing import Any, Final

from service.mail.blocks import (
    Block,
    Board,
    Bullets,
    Button,
    Content,
    Grid,
    Heading,
    Link,
    Offers,
    Paragraph,
    Quote,
    Rule,
    Small,
)

WIDTH: Final = 72


def text_part(content: Content) -> str:
    """Return the mail as text in lines of at most 72 columns, each address alone on its own."""
    return "\n".join(_spaced((Paragraph(content.summary), *content.blocks))) + "\n"


def wrapped(text: str, lead: str = "", indent: str = "", width: int = WIDTH) -> str:
    """Return the text in lines of at most so many columns; words that are longer stay whole, and none is left alone."""
    options: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
    lines = wrap(text, width, initial_indent=lead, subsequent_indent=indent, **options)
    if len(lines) > 1 and " " not in lines[-1].strip() and " " in lines[-2].strip():
        kept, _, last = lines[-2].rpartition(" ")
        if kept.strip() and len(f"{indent}{last} {lines[-1].strip()}") <= width:
            lines[-2:] = [kept, f"{indent}{last} {lines[-1].strip()}"]
    return "\n".join(lines)


def _spaced(blocks: Sequence[Block]) -> Iterable[str]:
    """Yield the blocks' texts, an empty line between them but not beneath a heading."""
    for number, block in enumerate(blocks):
        if number and not isinstance(blocks[number - 1], Heading):
            yield ""
        yield _WRITE[type(block)](block)


def _heading(block: Heading) -> str:
    title = wrapped(block.text)
    return f"{title}\n{'-' * max(map(len, title.splitlines()), default=0)}"


def _link(block: Button | Link) -> str:
    return f"{wrapped(block.label)}\n{block.url}"


def _offers(block: Offers) -> str:
    lines = [wrapped(block.kind)]
    for offer in block.items:
        lines.append(wrapped(f"{offer.notation} = {offer.text}", "  ", "    "))
        if offer.url is not None:
            lines.append(f"  {offer.url}")
    return "\n".join(lines)


def _quote(block: Quote) -> str:
    said = [wrapped(line, "| ", "| ") for line in block.words.splitlines() if line.strip()]
    return "\n".join([wrapped(block.head), *said])


def _grid(block: Grid) -> str:
    rows = [block.header, *block.rows]
    wide = [max(len(row[column]) for row in rows) for column in range(1, len(block.header))]
    first = WIDTH - sum(wide) - 2 * len(wide)
    return "\n".join(
        f"{row[0][:first]:{min(first, max(len(each[0]) for each in rows))}}"
        + "".join(f"  {cell:>{width}}" for cell, width in zip(row[1:], wide, strict=True))
        for row in rows
    )


_WRITE: Final[dict[type[Any], Callable[[Any], str]]] = {
    Heading: _heading,
    Paragraph: lambda block: wrapped(block.text),
    Small: lambda block: wrapped(block.text),
    Bullets: lambda block: "\n".join(wrapped(item, "* ", "    ") for item in block.items),
    Button: _link,
    Link: _link,
    Offers: _offers,
    Board: lambda block: block.text,
    Quote: _quote,
    Grid: _grid,
    Rule: lambda _: "-" * WIDTH,
}
