"""Lists that are read page by page: what a page is asked for by, and what it consists of."""

from __future__ import annotations

from marshmallow import fields

from schemas.answer import Answer
from schemas.fields import Number


class PageLimit(Number):
    """The most items of a page; `usual` is the number without it."""

    def __init__(self, items: str, *, most: int = 100, usual: int = 20) -> None:
        description = f"The most {items} to answer with; {usual} when absent."
        super().__init__(least=1, most=most, metadata={"description": description})


class Page(Answer):
    """A page of a list: ask again with `after` = `next` unless that is null. Each list has its own kind of `items`."""

    items = fields.List(fields.Raw())
    next = fields.String(allow_none=True)
