"""Names of players as they are shown, names that pass for others, and handles."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from service.texts.catalog import DEFAULT, languages, say

DEFAULT_LANGUAGE = DEFAULT
"""The language of an account that has chosen none."""
GONE = ""
"""The stored name of a deleted account; no player can choose it."""
UNNAMED = "New player"
"""The stored name of an account whose owner has chosen none; readers of each language see its own words."""
UNNAMED_VARIANTS = (UNNAMED, "Neuer Spieler", "Nouveau joueur")
"""All stored names of such accounts: once the words of the language at the first sign-in were stored."""
_COMPUTER = " "
"""Prefix of the stored name of a computer player; no player's name begins with it."""
_LEVELS = ("easy", "normal", "hard", "expert")
_MAX_SEATS = 16
"""The most seats that a game can have."""


def display_name(name: str, language: str) -> str:
    """Return a stored name as it is shown to readers of the language; every name that is shown comes through here."""
    if name.startswith(_COMPUTER):
        level, number = name.split()
        return computer_name(level, int(number), language)
    if is_unnamed(name):
        return say(language, "new-player")
    return name if name != GONE else say(language, "former-player")


def is_unnamed(name: str) -> bool:
    """Return whether a stored name is that of an account whose owner has chosen none."""
    return name in UNNAMED_VARIANTS


def stored_computer_name(level: str, number: int) -> str:
    """Return the stored name of a computer player of a level, the first of them or a later one."""
    return f"{_COMPUTER}{level} {number}"


def computer_name(level: str, number: int, language: str) -> str:
    """Return what a computer player is called in the language; the first of a level has no number."""
    called = level_name(level, language)
    if number == 1:
        return say(language, "computer-name", level=called)
    return say(language, "computer-name-numbered", number=number, level=called)


def level_name(level: str, language: str) -> str:
    """Return the word for a level of computer players."""
    return say(language, f"computer-{level}")


def computer_names() -> tuple[str, ...]:
    """Return what computer players are called, in every language."""
    spoken = (
        (number, level, language) for number in range(1, _MAX_SEATS) for level in _LEVELS for language in languages()
    )
    return tuple(computer_name(level, number, language) for number, level, language in spoken)


def former_player_names() -> tuple[str, ...]:
    """Return what is shown for a deleted account, in every language."""
    return tuple(display_name(GONE, language) for language in languages())


def unnamed_seat(seat: int, language: str) -> str:
    """Return what the player in a seat is called where it is not known who it was."""
    return say(language, "unnamed-seat", number=seat + 1)


BRAND: Final = "boardroom"
SERVICE_WORDS: Final = (
    *("admin", "administrator", "mod", "moderator", "official", "operator", "security", "service", "staff", "support"),
    *("system", "team", "webmaster", "postmaster", "root"),
)
"""Words for the service and those who run it; a name that consists of them alone passes for theirs."""
# Letters of other alphabets that look like Latin ones; Python has no table of them, and these cover the few names.
_LATIN_LOOKALIKES: Final = {
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
_ALIKE: Final = str.maketrans({each: plain for plain, alike in _LATIN_LOOKALIKES.items() for each in alike})
_DIGITS: Final = str.maketrans("0158|", "olsbl")
_SAME_IN_NAMES: Final = str.maketrans("ij", "ll")


def passes_for_service(name: str) -> bool:
    """Return whether a name would pass for the service's: it has the brand in it, or nothing but words of SERVICE."""
    words = [name_skeleton(word) for word in re.split(r"[\W_]+", name) if name_skeleton(word)]
    return name_skeleton(BRAND) in name_skeleton(name) or (
        bool(words) and all(word in _SERVICE_SKELETONS for word in words)
    )


def name_skeleton(name: str) -> str:
    """Return the skeleton of a name, equal for names that look alike: without case, marks, spaces and punctuation."""
    # A letter may look like a Latin one only in its own case, so they are replaced before and after case folding.
    plain = unicodedata.normalize("NFKC", name).translate(_ALIKE).casefold().translate(_ALIKE)
    parts = (each for each in unicodedata.normalize("NFKD", plain) if unicodedata.category(each)[0] in "LN|")
    digits = "".join(str(unicodedata.decimal(each, each)) for each in parts).translate(_DIGITS)
    return digits.translate(_SAME_IN_NAMES)


_SERVICE_SKELETONS: Final = frozenset(map(name_skeleton, SERVICE_WORDS))


HANDLE_MIN_LENGTH: Final = 3
HANDLE_MAX_LENGTH: Final = 20
HANDLE_PATTERN: Final = r"^[a-z](-?[a-z0-9])*$"
"""A letter, then letters, digits and single hyphens, the last of which is not at the end."""
# What reads alike in most fonts, of ASCII: the part of confusables.txt (Unicode TR39), and `w`.
_SAME_IN_HANDLES: Final = str.maketrans({"0": "o", "1": "l", "i": "l", "m": "rn", "w": "vv"})
_RESERVED_WORDS: Final = (
    *(BRAND, *SERVICE_WORDS),
    *(
        "account",
        "anonymous",
        "anybody",
        "api",
        "bot",
        "computer",
        "deleted",
        "everybody",
        "everyone",
        "former",
        "friends",
    ),
    *("guest", "help", "host", "info", "mail", "mailer-daemon", "me", "nobody", "null", "ods", "owner", "player"),
    *("players", "settings", "somebody", "undefined", "user"),
)


def handle_skeleton(handle: str) -> str:
    """Return what a handle looks like: the same text for handles that can be taken for each other."""
    return handle.translate(_SAME_IN_HANDLES)


RESERVED_HANDLES: Final = frozenset(map(handle_skeleton, _RESERVED_WORDS))
"""The skeletons of handles that nobody has, since they would pass for the service's or for those who run it."""
