"""Find the author's own lines of a mail: without quotes and signatures.

Word lists tell how programs begin quotes and end mails. For other languages an address helps: a line with an address
that ends in a colon, or a block of headers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from service.inbound.text import MAX_TEXT_LENGTH

MAX_LINES: Final = 400
MAX_LINE_LENGTH: Final = 2000
"""Maximum characters read of a line: more than a remark may have. Normalizing a line may take quadratic time."""
MAX_SIGNATURE_LINES: Final = 12
MAX_LABEL_LENGTH: Final = 30
"""Maximum characters of a header name in a text."""
MAX_ANNOUNCEMENT_LENGTH: Final = 400
"""Maximum characters of a line that announces a quote, or is a header of a quote."""
MIN_RULE_LENGTH: Final = 5
_MOST_ANNOUNCING: Final = 3
_FARTHEST: Final = 12
"""Number of lines to search for the next non-empty ones."""
_WINDOW: Final = 4
"""Number of lines in which the headers of a quoted mail stand together."""
_UNIFIED: Final = str.maketrans(
    dict.fromkeys("‘’‚‛′´`", "'")
    | dict.fromkeys("“”„‟«»", '"')
    | dict.fromkeys("‐‑‒–—−", "-")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
)
# Remarks have no control characters, as everywhere: PostgreSQL stores no NUL, and terminals obey ESC. They have no
# surrogates and noncharacters either, since UTF-8 or XML cannot carry them.
_NONE: Final = (
    *range(0xD800, 0xE000),
    *range(0xFDD0, 0xFDF0),
    *(p << 16 | e for p in range(17) for e in (0xFFFE, 0xFFFF)),
)
_CONTROLS: Final = str.maketrans(dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), *_NONE], "") | {ord("\t"): " "})
REMARK: Final = re.compile(r"[\s*_]*(?:say|sage?|dis|dites|dire)[*_]*\s*:[*_]*\s*(.*)", re.IGNORECASE)
"""Pattern of a line that begins a remark."""
_SIGNATURES: Final = ("--", "—", "―", "––", "- -")
"""Lines above a signature, as programs write them and as phones correct them."""
_ADDRESS: Final = re.compile(r"[^<>\s@]{1,64}@[^<>\s@]{1,64}[.][^<>\s@]{2}")
_DIGIT: Final = re.compile(r"\d")
_OPENED: Final = re.compile(
    r"(?:on|am|le|op|el|il|em|den|på|w dniu|dnia|dne|в|at|vào|tarihinde|\d{1,4})\b", re.IGNORECASE
)
"""Beginnings of a line that says when somebody wrote; programs break such lines after 72 columns."""
# Verbs of writing and sending, and our own name in quotes of our mails.
_WROTE: Final = re.compile(
    r"\b(?:wrote|writes|sent|sends|schrieb|schreibt|sandte|sendete|gesendet|schickte|geschickt|écrit|envoyé|boardroom"
    r"|schreef|geschreven|escribió|scritto|scrive|escreveu|napisał|napisała|napisał\(a\)|skrev|kirjoitti|napsal|napsala"
    r"|napsal\(a\)|írta|scris|yazdı|написал|написала|пишет|написав|написала|έγραψε|viết|menulis)(?:\b|(?<=\)))"
    r"|写道|寫道|のメール|書きました|작성|כתב|كتب",
    re.IGNORECASE,
)
_FROM: Final = re.compile(
    "from|von|de|absender|expéditeur|van|afzender|da|mittente|remitente|remetente|från|avsändare|fra|avsender|afsender"
    "|lähettäjä|od|nadawca|odesílatel|feladó|expeditor|kimden|gönderen|от|отправитель|від|відправник|από|from/von"
    "|差出人|送信者|送信元|发件人|寄件人|寄件者|發件人|보낸 사람|보낸사람|보낸이|מאת|من|từ|จาก|dari"
)
_BESIDE: Final = re.compile(
    "sent|date|to|cc|subject|reply-to|gesendet|datum|an|betreff|envoyé|envoyé le|à|objet|verzonden|verzonden op|aan"
    "|onderwerp|enviado|enviado el|fecha|para|asunto|inviato|inviato il|data|a|oggetto|assunto|enviada em|skickat"
    "|till|ämne|sendt|til|emne|dato|lähetetty|päivämäärä|vastaanottaja|aihe|wysłano|wysłane|do|temat|odesláno|komu"
    "|předmět|küldve|elküldve|dátum|címzett|tárgy|trimis|către|subiect|gönderildi|gönderme|tarih|kime|konu"
    "|отправлено|дата|кому|тема|надіслано|στάλθηκε|ημερομηνία|προς|θέμα|送信日時|日時|日付|宛先|件名|发送时间|发送日期"
    "|日期|收件人|主题|傳送時間|寄件日期|收件者|主旨|보낸 날짜|날짜|받는 사람|받는사람|제목|נשלח|תאריך|אל|נושא"
    "|gửi|tới|chủ đề|ถึง|เรื่อง|tanggal|kepada|perihal"
)
_SIGNED_OFF: Final = re.compile(
    r"(?:sent|written) (?:from|via|with|using|by) |(?:get|download) outlook for |yahoo mail: "
    r"|gesendet (?:von|mit|aus|über) |(?:von|mit) (?:meinem|meiner|mein|der|dem) .{0,80}gesendet$"
    r"|diese (?:nachricht|e-?mail) wurde (?:von|mit) |(?:holen sie sich|laden sie) outlook |outlook für "
    r"|envoyé (?:de|du|depuis|avec|par|via|à partir) |(?:obtenez|télécharger|téléchargez) outlook |obtenir outlook "
    r"|(?:verzonden|verstuurd) (?:vanaf|vanuit|met|via|van) |outlook voor .{0,40}downloaden"
    r"|enviado (?:desde|con|por|do|da|de|a partir|pelo|via) |obtener outlook |obter o outlook "
    r"|inviato (?:da|dal|dalla|con|tramite) |scarica outlook |wysłan[eoay] z |skickat från |sendt fra |lähetetty "
    r"|odesláno z |küldve |отправлено (?:из|с) |надіслано з |(?:发自|發自|从我的|從我的)"
    r"|.{0,60}(?:から送信|에서 보냄|gönderildi)$",
    re.IGNORECASE,
)
"""Beginnings of the line that phones put below a mail."""


@dataclass(frozen=True, slots=True)
class OwnText:
    """Author's own lines of a mail, as far as they can be told.

    `signature` are the lines below a signature mark. `quoted` is the line at which an unmarked quote begins. Nothing
    below either is the author's. `cut` is true if lines beyond the limit were not read.
    """

    lines: tuple[str, ...]
    signature: tuple[str, ...] = ()
    quoted: str = ""
    cut: bool = False


def own_text(text: str) -> OwnText:
    """Return the author's own lines.

    Lines that begin with > are skipped, and so is the line that announces them.
    """
    lines = [normalize("NFC", line[:MAX_LINE_LENGTH].translate(_CONTROLS)) for line in text.splitlines()]
    own: list[str] = []
    said, number = False, 0
    while number < len(lines):
        line = lines[number]
        if _is_marked(line):
            number += 1
            continue
        if line.strip() in _SIGNATURES:
            return OwnText(tuple(own), _signature(lines[number + 1 :]))
        said = said or REMARK.match(line) is not None
        if announcing := _announcing(lines, number, said):
            number += announcing
            if not any(map(_is_marked, _following(lines, number, 1))):
                return OwnText(tuple(own), quoted=line.strip())
            continue
        if _is_rule(line) or _begins_headers(lines, number, said):
            return OwnText(tuple(own), quoted=line.strip())
        if len(own) >= MAX_LINES:
            return OwnText(tuple(own), cut=True)
        own.append(line)
        number += 1
    is_whole = len(text) < MAX_TEXT_LENGTH or not lines or _is_marked(lines[-1])
    return OwnText(tuple(own), cut=not is_whole)


def signs_off(line: str) -> bool:
    """Return whether a mail program, such as a phone's, has put the line below a mail."""
    return _SIGNED_OFF.match(plain_line(line)[:120]) is not None


def plain_line(line: str) -> str:
    """Return the line in normal form for comparisons: without typographic variants by mail programs and phones."""
    text = " ".join(normalize("NFKC", line).translate(_UNIFIED).split())
    text = text.strip('"*_ ').rstrip(".! ").strip('"*_ ')
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text


def _is_marked(line: str) -> bool:
    return line.lstrip().startswith(">")


def _signature(lines: Sequence[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for number, line in enumerate(lines):
        quotes = _is_marked(line) or _is_rule(line) or _begins_headers(lines, number, said=False)
        if quotes or _announcing(lines, number, said=False) or len(kept) == MAX_SIGNATURE_LINES:
            break
        kept.extend(filter(None, (line.strip(),)))
    return tuple(kept)


def _is_rule(line: str) -> bool:
    """Return whether a line is a rule: of underscores, of dashes, or of a title between dashes."""
    bare = line.strip().strip("*")
    if len(bare) >= MIN_RULE_LENGTH and not bare.strip("_"):
        return True
    plain = plain_line(bare[:MAX_ANNOUNCEMENT_LENGTH])
    title = plain.strip("-")
    if not title:
        return len(plain) >= MIN_RULE_LENGTH
    return plain.startswith("--") and plain.endswith("--")


def _begins_headers(lines: Sequence[str], number: int, said: bool) -> bool:
    """Return whether the headers of a quoted mail begin at a line.

    Above a remark a sender's name is enough. Within a remark (`said`) an address, or another header below, is needed.
    """
    label, value = _label(lines[number])
    if not label:
        return False
    sender = _FROM.fullmatch(label) is not None
    if sender and value and (not said or _ADDRESS.search(value)):
        return True
    below = [each for line in _following(lines, number + 1, _WINDOW - 1) if (each := _label(line))[0]]
    if sender or _BESIDE.fullmatch(label):
        known = [name for name, _ in below if _FROM.fullmatch(name) or _BESIDE.fullmatch(name)]
        return bool(known) and (sender or any(map(_FROM.fullmatch, known)))
    return len(below) == _WINDOW - 1 and any(_ADDRESS.search(held) for _, held in ((label, value), *below))


def _label(line: str) -> tuple[str, str]:
    """Return the header name in lower case and the value of a line; "" if the line is no header."""
    label, colon, value = plain_line(line[:MAX_ANNOUNCEMENT_LENGTH]).replace("*", "").partition(":")
    label = label.strip().casefold()
    if not colon or len(label) > MAX_LABEL_LENGTH or _DIGIT.search(label) or REMARK.match(line):
        return "", ""
    return label, value.strip()


def _announcing(lines: Sequence[str], number: int, said: bool) -> int:
    """Return the number of lines of a quote's announcement at this line; 0 if there is none.

    Within a remark (`said`) an address, a number, our own name or quote marks below are needed besides the verb.
    """
    joined = ""
    for length, line in enumerate(lines[number : number + _MOST_ANNOUNCING], 1):
        # Only a line that says when somebody wrote gets broken.
        goes_on = length == 1 or (_OPENED.match(joined) and _DIGIT.search(joined))
        plain = plain_line(line).replace("*", "") if goes_on and len(line) <= MAX_ANNOUNCEMENT_LENGTH else ""
        if not plain or (length == 1 and REMARK.match(line)):
            return 0
        joined = f"{joined} {plain}".strip()
        if not joined.endswith(":"):
            continue
        if _ADDRESS.search(joined):
            return length
        evident = not said or "boardroom" in joined.casefold() or _DIGIT.search(joined) is not None
        if _WROTE.search(joined) and (evident or any(map(_is_marked, _following(lines, number + length, 1)))):
            return length
    return 0


def _following(lines: Sequence[str], number: int, most: int) -> list[str]:
    return [line for line in lines[number : number + _FARTHEST] if line.strip()][:most]
