"""Bring the catalogs of the other languages up to those of English (`make texts`).

A text is known by its key. A new one appears empty, one whose English has changed keeps its translation but is marked
`fuzzy` (with the English that was translated, `#|`), and one that English no longer has goes.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from service.texts import po_files


def merge(folder: Path) -> None:
    """Write every catalog of a folder anew; the folder of a new language may be empty. PoFileError for a broken file.

    The plural formula of a new catalog is the one that Babel knows for the language.
    """
    domains = po_files.domains(folder)
    for domain in domains:
        source = _sorted_out(po_files.read(po_files.path_of(folder, po_files.SOURCE, domain)))
        for language in po_files.languages(folder):
            path = po_files.path_of(folder, language, domain)
            merged = source
            if language != po_files.SOURCE:
                merged = merged_with(source, _sorted_out(po_files.read(path)) if path.exists() else None, language)
            po_files.write(path, language, merged)
    for language in po_files.languages(folder):
        for domain in set(po_files.domains(folder, language)) - set(domains):
            po_files.path_of(folder, language, domain).unlink()


def merged_with(source: Catalog, theirs: Catalog | None, language: str) -> Catalog:
    """Return the texts of the English catalog, in its order, with the translations that a language has for them."""
    merged = Catalog(locale=language, header_comment=source.header_comment)
    if theirs is not None:
        merged.mime_headers = [("Plural-Forms", theirs.plural_forms)]
    known = {} if theirs is None else {po_files.key_of(message): message for message in po_files.messages(theirs)}
    for english in po_files.messages(source):
        _add(merged, english, known.get(po_files.key_of(english)))
    return merged


def _add(merged: Catalog, english: Message, known: Message | None) -> None:
    forms = _forms(known, merged.num_plurals if english.pluralizable else 1)
    changed = known is not None and known.id != english.id and any(forms)
    fuzzy = known is not None and (known.fuzzy or changed)
    previous: list[str] = []
    if known is not None and fuzzy:
        previous = list(known.previous_id) or _ids(known)
    merged.add(
        english.id,
        forms if english.pluralizable else forms[0],
        flags=["fuzzy"] if fuzzy else [],
        auto_comments=english.auto_comments,
        user_comments=() if known is None else known.user_comments,
        previous_id=previous,
        context=english.context,
    )


def _forms(known: Message | None, number: int) -> tuple[str, ...]:
    """Return so many forms of a translation: where it has fewer, its last one stands for the others."""
    said = (known.string if known is not None else None) or ""
    forms = (said,) if isinstance(said, str) else tuple(said)
    return (*forms, *(forms[-1] for _ in range(number)))[:number]


def _ids(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


def _sorted_out(catalog: Catalog) -> Catalog:
    """Return the catalog with the English that was translated (`#|`), which Babel reads as comments of a translator."""
    for message in po_files.messages(catalog):
        previous = [comment[1:].strip() for comment in message.user_comments if comment.startswith("|")]
        if previous:
            message.user_comments = [each for each in message.user_comments if not each.startswith("|")]
            (before,) = po_files.messages(read_po(BytesIO("\n".join([*previous, 'msgstr ""']).encode())))
            message.previous_id = _ids(before)
    return catalog
