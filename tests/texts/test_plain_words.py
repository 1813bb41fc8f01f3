"""No catalog riddles, and the text of no mail speaks in signs that only the notation explains."""

from __future__ import annotations

import re

import pytest

from service.texts import po_files
from service.texts.catalog import languages
from tests.mail_goldens import mail_of, read
from tests.mail_samples import WRITERS
from tests.mail_tree import body

RIDDLES = {
    "en": r"^Either there is|^What others|^Who (?:do|does) |not yours to|could not be understood",
    "de": r"^Entweder gibt|Notation|[Nn]iemandes Zeit|war nicht zu verstehen|^Was du \w+ hattest|^Was andere",
    "fr": r"^Soit (?:cette|ce) .* soit|temps de personne|^Toucher montre|n'a pas (?:été|pu être) compris",
}
SIGNS = re.compile(r"@\d|n°|\b(?:R{2,}|K{2,}|B{2,}|W{2,})\b|\((?:R|K|B|W)\)")
QUOTED = re.compile(r"[\"„«][^\"“»]*[\"“»]")
MAILS = sorted(WRITERS)


@pytest.mark.parametrize("language", languages())
def test_no_sentence_of_the_service_riddles(language: str) -> None:
    riddle, found = re.compile(RIDDLES[language]), []
    for name in po_files.domains(po_files.LOCALE):
        for message in po_files.messages(po_files.read(po_files.path_of(po_files.LOCALE, language, name))):
            said = message.id if language == po_files.SOURCE else message.string
            forms = (said,) if isinstance(said, str) else tuple(said)
            found += [f"{name}/{po_files.key_of(message)}: {form}" for form in forms if riddle.search(form)]
    assert found == []


@pytest.mark.parametrize("name", MAILS)
def test_the_text_of_a_mail_has_no_signs_of_the_notation(name: str) -> None:
    lines = body(read(mail_of(name)), "plain").splitlines()
    # Moves are offered by their notation, each followed by its sentence, in quotation marks, or as the path of a link.
    told = [line.partition(" = ")[2] or line for line in lines if not line.strip().startswith("http")]
    assert [line for line in told if SIGNS.search(QUOTED.sub("", line))] == []
