"""Names that look alike, and those that would pass for the service's: one list for names, apps, tables and handles."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

BRAND: Final = "boardroom"
SERVICE: Final = (
    *("admin", "administrator", "mod", "moderator", "official", "operator", "security", "service", "staff", "support"),
    *("system", "team", "webmaster", "postmaster", "root"),
)
"""Words for the service and those who run it; a name that consists of them alone passes for theirs."""
# Letters of other alphabets that look like Latin ones; Python has no table of them, and these cover the few names.
_LOOK: Final = {
    "a": "АаΑαᎪᴀ",
    "b": "ВвΒβᏴ",
    "c": "СсϹϲᏟᴄꓚ",
    "d": "ԀԁᎠꓓᗪᴅ",
    "e": "ЕеΕεᎬᴇꓰ",
    "f": "ϜҒғꓝ",
    "g": "Ԍԍɡ",
    "h": "НнһΗհᎻ",
    "i": "ІіΙιӀıɩ",
    "j": "ЈјϳᎫᴊ",
    "k": "КкΚκᏦᴋ",
    "l": "ӏⅼʟᏞꓡ",
    "m": "МмΜᎷᴍ",
    "n": "ΝηпΠɴ",
    "o": "ОоΟοՕօσꓳᴏ",
    "p": "РрΡρᏢᴘ",
    "r": "гГʀᏒꓣ",
    "s": "ЅѕՏꜱᏚꓢ",
    "t": "ТтΤτᴛᎢ",
    "u": "υսՍᴜꓴ",
    "v": "νѵѴᴠᏙ",
    "x": "ХхΧχ",
    "y": "УуΥүҮʏ",
    "z": "ΖᴢᏃ",
}
_ALIKE: Final = str.maketrans({each: plain for plain, alike in _LOOK.items() for each in alike})
_DIGITS: Final = str.maketrans("0158|", "olsbl")
_SAME: Final = str.maketrans("ij", "ll")


def is_of_service(name: str) -> bool:
    """Return whether a name would pass for the service's: it has the brand in it, or nothing but words of SERVICE."""
    words = [outline(word) for word in re.split(r"[\W_]+", name) if outline(word)]
    return outline(BRAND) in outline(name) or (bool(words) and all(word in _SERVICE for word in words))


def outline(name: str) -> str:
    """Return the skeleton of a name, equal for names that look alike: without case, marks, spaces and punctuation."""
    # A letter may look like a Latin one only in its own case, so they are replaced before and after case folding.
    plain = unicodedata.normalize("NFKC", name).translate(_ALIKE).casefold().translate(_ALIKE)
    parts = (each for each in unicodedata.normalize("NFKD", plain) if unicodedata.category(each)[0] in "LN|")
    digits = "".join(str(unicodedata.decimal(each, each)) for each in parts).translate(_DIGITS)
    return digits.translate(_SAME)


_SERVICE: Final = frozenset(map(outline, SERVICE))
