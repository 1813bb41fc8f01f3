"""Atom feeds of public games (RFC 4287), as a spectator may know them."""

from __future__ import annotations

from typing import Final
from uuid import UUID, uuid5
from xml.etree import ElementTree as ET

from sqlalchemy import Connection

from service.log.recorded import Recorded
from service.rules.characters import interchangeable, unisolated
from service.store import events
from service.store.games import Position
from service.texts.games import full_title
from service.views.history import sentence

# Writing XML documents.


def xml_document(root: ET.Element) -> bytes:
    """Return the document in UTF-8, well-formed for any characters in texts and attributes."""
    for each in root.iter():
        each.text, each.tail = _clean(each.text), _clean(each.tail)
        for name, value in each.attrib.items():
            each.set(name, interchangeable(value))
    data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return data


def _clean(text: str | None) -> str | None:
    return None if text is None else interchangeable(text)


# Atom feed of a public game (RFC 4287), as a spectator sees it.

MOST: Final = 50
"""Number of latest events in the feed."""
ATOM: Final = "http://www.w3.org/2005/Atom"
XML_LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"


def feed(db: Connection, position: Position, language: str, base_url: str) -> bytes:
    """Return the feed of a public game's latest events, newest first."""
    game = position.game
    title = unisolated(game.terms.name or full_title(position.ruleset.meta, game.options, language))
    table = f"{base_url}/games/{game.id}"
    first = max(0, position.version - MOST)
    recorded = events.read(db, position.codec, game.id, first, position.version)
    root = ET.Element("feed", {"xmlns": ATOM, XML_LANG: language})
    _text(root, "id", game.id.urn)
    _text(root, "title", title)
    _text(root, "updated", (recorded[-1].at if recorded else game.created_at).isoformat())
    ET.SubElement(root, "link", {"rel": "self", "href": f"{table}/events.atom?language={language}"})
    ET.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": table})
    _text(ET.SubElement(root, "author"), "name", "Boardroom")
    for each in reversed(recorded):
        said = sentence(position, each.event, None, language)
        if said:
            _entry(root, game.id, each, unisolated(said), table)
    return xml_document(root)


def _entry(root: ET.Element, game: UUID, recorded: Recorded, said: str, table: str) -> None:
    entry = ET.SubElement(root, "entry")
    _text(entry, "id", uuid5(game, str(recorded.seq)).urn)
    _text(entry, "title", said)
    _text(entry, "updated", recorded.at.isoformat())
    ET.SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": table})
    ET.SubElement(entry, "content", {"type": "text"}).text = said


def _text(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text
