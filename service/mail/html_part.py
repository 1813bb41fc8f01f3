"""Writes blocks as HTML for mail programs: one column of tables, styles on the elements, no script, nothing fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from css_inline import CSSInliner
from jinja2 import Environment, PackageLoader, StrictUndefined

from service.mail.bidi import with_bdi
from service.mail.blocks import Block, Content, Grid
from service.rules.bidi import columns

_TEMPLATES: Final = Environment(
    loader=PackageLoader("service.mail", "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
PHONE_ROW_LENGTH: Final = 40
"""Characters of a table row that fit on a phone, without the space between the cells."""
# The style sheet keeps only what cannot be inlined: the rules for small screens and dark mode.
_INLINER: Final = CSSInliner(keep_style_tags=False, keep_at_rules=True, load_remote_stylesheets=False)


def html_part(content: Content, pictures: Mapping[str, str]) -> str:
    """Return the mail as HTML; `pictures` has the address (`cid:`) of each picture by its SVG."""
    template = _TEMPLATES.get_template("mail.html")
    written = template.render(mail=content, pictures=pictures, kind_of=_kind_of, names_apart=_names_apart)
    return _INLINER.inline(with_bdi(written))


def _kind_of(block: Block) -> str:
    return type(block).__name__


def _names_apart(grid: Grid) -> bool:
    """Return whether the names of a table have rows of their own: beside the rest a phone has no room for them."""
    heads = (max(map(len, head.split()), default=0) for head in grid.header[1:])
    return max(columns(row[0]) for row in grid.rows) + sum(heads) > PHONE_ROW_LENGTH
