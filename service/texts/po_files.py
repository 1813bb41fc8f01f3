"""Catalogs as files: `locale/<language>/LC_MESSAGES/<domain>.po`, in the form of GNU gettext.

`msgctxt` is the key that code names, `msgid` the English text, `msgstr` the translation. The catalogs of English are
the source: they are edited by hand, and their `msgstr` stay empty. A text without a key is its own key. The domain
`service` has the texts with keys, `verifier` the sentences of `service/web/static/*.mjs`, which have none.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

SOURCE: Final = "en"
"""The language that texts are written in first, and that stands in for what another one lacks."""
SERVICE: Final = "service"
VERIFIER: Final = "verifier"
LOCALE = Path(__file__).with_name("locale")
"""The folder of the catalogs of the service."""
_WIDTH: Final = 110


def languages(folder: Path) -> tuple[str, ...]:
    """Return the codes of the languages that have a folder: the source first, then by the alphabet."""
    found = {path.name for path in folder.iterdir() if path.is_dir()}
    return (SOURCE, *sorted(found - {SOURCE}))


def domains(folder: Path, language: str = SOURCE) -> tuple[str, ...]:
    """Return the names of the catalogs of a language."""
    return tuple(sorted(path.stem for path in _of(folder, language).glob("*.po")))


def path_of(folder: Path, language: str, domain: str) -> Path:
    """Return where a catalog stands."""
    return _of(folder, language) / f"{domain}.po"


def read(path: Path) -> Catalog:
    """Return the catalog of a file; PoFileError if it is not in the form of gettext."""
    with path.open("rb") as file:
        return read_po(file, abort_invalid=True)


def write(path: Path, language: str, catalog: Catalog) -> None:
    """Write a catalog to a file. Its header holds nothing that changes from day to day."""
    text = BytesIO()
    write_po(text, catalog, width=_WIDTH, omit_header=True, ignore_obsolete=True, include_previous=True)
    header = (
        f'{catalog.header_comment}\nmsgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n'
        '"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=UTF-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {catalog.plural_forms}\\n"\n\n'
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(header.encode() + text.getvalue().rstrip(b"\n") + b"\n")


def key_of(message: Message) -> str:
    """Return the key that code names a text by."""
    return str(message.context or message.id)


def messages(catalog: Catalog) -> list[Message]:
    """Return the entries of a catalog without its header."""
    return [message for message in catalog if message.id]


def _of(folder: Path, language: str) -> Path:
    return folder / language / "LC_MESSAGES"
