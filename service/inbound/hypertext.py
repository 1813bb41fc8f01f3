"""Visible text of an HTML part."""

from __future__ import annotations

import re
from typing import Final

from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.html_properties import Display
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement
from lxml import html
from lxml.etree import LxmlError

LONGEST: Final = 64 * 1024
"""Maximum characters of visible source, and of rendered text, which margins and tables lengthen."""
_HIDDEN: Final = {"blockquote": HtmlElement(display=Display.none)}
_SHOWN: Final = ParserConfig(css=CSS_PROFILES["strict"] | _HIDDEN)
_BLOCKQUOTE: Final = re.compile(r"(?=<blockquote\b)", re.IGNORECASE)
_UNSEEN: Final = re.compile(r"<(?:(!--)|(style|script|title)\b)", re.IGNORECASE)
_XML: Final = "<?xml"
_STRUCK: Final = re.compile(r"<(?:s|strike|del)\b|line-through", re.IGNORECASE)


def visible(source: str) -> str:
    """Return HTML without styles, scripts, titles and comments."""
    kept: list[str] = []
    at = 0
    while found := _UNSEEN.search(source, at):
        kept.append(source[at : found.start()])
        close = re.compile("-->" if found[1] else rf"</{found[2]}\s*>", re.IGNORECASE)
        end = close.search(source, found.end())
        at = end.end() if end else len(source)
    return "".join((*kept, source[at:]))[:LONGEST]


def has_struck(source: str) -> bool:
    """Return whether text in a result of `visible` may be struck out."""
    return _STRUCK.search(source) is not None


def rendered(source: str) -> str:
    """Render a result of `visible` as text, without quotes and struck-out text; "" if unreadable."""
    text = source.strip()
    if text.startswith(_XML):
        text = text.partition(">")[2].strip()
    if not text:
        return ""
    # A quote leaves a mark, so that the text below is not taken for the quote.
    marked = _BLOCKQUOTE.sub("<p>&gt;</p>", text)
    try:
        # Given a str, lxml searches for an encoding declaration in quadratic time; bytes avoid the search.
        tree = html.document_fromstring(marked.encode("utf-8", "replace"), parser=html.HTMLParser(encoding="utf-8"))
        for each in [each for each in tree.iter() if _is_struck(each)]:
            each.drop_tree()
        return str(Inscriptis(tree, _SHOWN).get_text())[:LONGEST]
    except (LxmlError, ValueError, RecursionError, AssertionError):
        return ""


def _is_struck(element: html.HtmlElement) -> bool:
    if element.tag in ("s", "strike", "del"):
        return True
    styles = (each.partition(":") for each in str(element.get("style", "")).lower().split(";"))
    return any(name.strip().startswith("text-decoration") and "line-through" in value for name, _, value in styles)
