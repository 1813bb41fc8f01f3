"""Writes blocks as HTML for mail programs: one column of tables, styles on the elements, no script, nothing fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from css_inline import CSSInliner
from jinja2 import Environment, PackageLoader, StrictUndefined

from service.mail.blocks import Block, Content
from service.mail.isolates import with_bdi

_TEMPLATES: Final = Environment(
    loader=PackageLoader("service.mail", "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
# The style sheet keeps only what cannot be inlined: the rules for small screens and dark mode.
_INLINER: Final = CSSInliner(keep_style_tags=False, keep_at_rules=True, load_remote_stylesheets=False)


def html_part(content: Content, pictures: Mapping[str, str]) -> str:
    """Return the mail as HTML; `pictures` has the address (`cid:`) of each picture by its SVG."""
    template = _TEMPLATES.get_template("mail.html")
    return _INLINER.inline(with_bdi(template.render(mail=content, pictures=pictures, kind_of=_kind_of)))


def _kind_of(block: Block) -> str:
    return type(block).__name__
