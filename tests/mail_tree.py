"""What a mail is made of, as a mail program takes it apart."""

from __future__ import annotations

import re
from email.message import EmailMessage
from html.parser import HTMLParser

URL = re.compile(r"https?://\S+")


class Html(HTMLParser):
    """The text, the links and the elements of a mail's HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self._hidden = 0
        self._pictures: set[int] = set()
        self._linked = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the element, and the address that it leads to."""
        given = {name: value or "" for name, value in attrs}
        self.tags.append((tag, given))
        self._hidden += tag in ("style", "title")
        if tag == "a":
            self.links.append(given["href"])
            self._linked = True
        if tag == "img" and self._linked:
            self._pictures.add(len(self.links) - 1)

    def handle_endtag(self, tag: str) -> None:
        """Note that what is not shown is over."""
        self._hidden -= tag in ("style", "title")
        self._linked = self._linked and tag != "a"

    def handle_data(self, data: str) -> None:
        """Note what is shown."""
        # A chevron is drawn before a link; the text part has the link itself.
        if not self._hidden and data.strip() not in {"", "›"}:
            self.words.append(" ".join(data.split()))

    @property
    def addresses(self) -> list[str]:
        """Where the links with words lead; a picture's leads where one of them does."""
        found = [url for number, url in enumerate(self.links) if number not in self._pictures]
        assert {self.links[number] for number in self._pictures} <= {*found}
        return found

    @property
    def styles(self) -> list[str]:
        """The styles on the elements."""
        return [given["style"] for _, given in self.tags if "style" in given]


def tree(part: EmailMessage) -> object:
    """The types of the parts, nested."""
    kind = part.get_content_type()
    return (kind, *map(tree, part.iter_parts())) if part.is_multipart() else kind  # type: ignore[arg-type]


def body(message: EmailMessage, kind: str) -> str:
    """The part of the mail that is `plain` or `html`."""
    part = message.get_body((kind,))
    assert part is not None
    return str(part.get_content())


def plain_words(text: str) -> str:
    """A text without line breaks, rulers, bullets, bars and addresses."""
    lines = (re.sub(r"^(\* |\| )", "", line.strip()) for line in text.splitlines())
    return " ".join(" ".join(line for line in lines if not URL.fullmatch(line) and line.strip("-")).split())


def unsaid(html: Html, text: str) -> list[str]:
    """Return what HTML says and text does not; a column of text may be too narrow for a name, which it cuts."""
    words = plain_words(text)
    cut = [each.removesuffix("…") for each in words.split() if each.endswith("…")]
    return [chunk for chunk in html.words if chunk not in words and not any(each in chunk for each in cut)]
