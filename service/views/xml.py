"""The one writer of XML documents."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from service.rules.characters import interchangeable


def document(root: ET.Element) -> bytes:
    """Return the document with this root in UTF-8, well-formed whatever characters its texts and attributes have."""
    for each in root.iter():
        each.text, each.tail = _clean(each.text), _clean(each.tail)
        for name, value in each.attrib.items():
            each.set(name, interchangeable(value))
    data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return data


def _clean(text: str | None) -> str | None:
    return None if text is None else interchangeable(text)
