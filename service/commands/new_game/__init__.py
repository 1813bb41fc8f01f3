"""`boardroom new-game`: the folder of a game that can be played at once, to be made into another one."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Final

import click

from service.commands.rulesets import installed_rulesets
from service.commands.terminal import WRONG, Refused, in_words, say

_TEMPLATES: Final = Path(__file__).with_name("templates")
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@click.command("new-game", epilog="Exit code: 0, 1 if the name cannot be used, 2 if the folder cannot be written.")
@click.argument("name", metavar="NAME")
def command(name: str) -> int:
    """Write a folder NAME with a small game of secret guesses and dice. NAME is in kebab case: `my-game`.

    The game passes `boardroom check-game` and can be played. Change its files one by one into those of your own game.
    """
    package = name.replace("-", "_")
    if not _NAME.fullmatch(name):
        raise Refused(f"{name!r} is no name of a game: it takes small letters, digits, and dashes between words", WRONG)
    if keyword.iskeyword(package):
        raise Refused(f"{name!r} is a word of Python, and no package can be called so; take another name", WRONG)
    if Path(name).exists() or find_spec(package) is not None:
        raise Refused(f"there is a folder {name} or a package {package} already; take another name", WRONG)
    if name in installed_rulesets():
        raise Refused(f"there is a game {name} already; take another name", WRONG)
    words = {"name": name, "package": package, "title": name.replace("-", " ").title()}
    try:
        for path, text in _files(words):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            say(path)
    except OSError as error:
        raise Refused(in_words(error)) from error
    say("", "Next:", f"  cd {name}", "  pip install --editable .")
    say(f"  boardroom check-game {package}", f"  boardroom workbench {package}")
    say(f"  boardroom selfplay --ruleset {name} --players 2")
    say(f"  boardroom up, and in another terminal: boardroom play --ruleset {name} --seats 2")
    return 0


def _files(words: dict[str, str]) -> Iterator[tuple[Path, str]]:
    """Yield the files of the folder, with the words filled in."""
    for template in sorted(_TEMPLATES.rglob("*.txt")):
        path = template.relative_to(_TEMPLATES).with_suffix("")
        parts = [words["package"] if part == "package" else part for part in path.parts]
        yield Path(words["name"], *parts), Template(template.read_text(encoding="utf-8")).substitute(words)
