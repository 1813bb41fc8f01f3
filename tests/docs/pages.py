"""What a page of the documentation claims about the repository, and which of its claims are wrong.

Claims are links, and what stands in code: paths, make targets, `boardroom` commands with their options, modules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

from service.commands.cli import main
from tests.docs.rooms import ROOT

PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md")
FOLDERS = "service|schemas|workers|tests|docs|deploy|\\.ci"

_FENCED = re.compile(r"^( *)```.*?\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.+?)\s*$", re.MULTILINE)
_PATH = re.compile(rf"(?<![\w./-])((?:{FOLDERS})/[\w./*<>-]*)")
_MAKE = re.compile(r"\bmake ([a-z][a-z-]*)")
_COMMAND = re.compile(r"\bboardroom ([a-z][a-z-]*)([^\n|;&#]*)")
_OPTION = re.compile(r"(?<!\S)(--[a-z][a-z-]*)")
_RUN = re.compile(r"\bpython3? -m ((?:service|workers|tests)[\w.]*)")
_MADE = re.compile(r"(?:\bmkdir (?:-p )?|<!-- made by the reader: )([\w./-]+)")
_MODULE = re.compile(r"(?:service|schemas|workers|tests)(?:\.\w+)+")


def pages() -> list[Path]:
    """Return the pages that are there, by their paths."""
    return [ROOT / name for name in PAGES] + sorted((ROOT / "docs").rglob("*.md"))


def mistakes(page: Path, text: str) -> list[str]:
    """Return what the text claims wrongly; its links start from the page's folder.

    What the page has its reader make (`mkdir`, or a comment that says so) need not be there, nor anything in it.
    """
    made = _MADE.findall(text)
    fenced = [block[2] for block in _FENCED.finditer(text)]
    prose = _FENCED.sub("", text)
    code = [*_CODE.findall(prose), *fenced]
    links = _LINK.findall(_CODE.sub("", prose))
    found = [*_links(page, text, links), *(wrong for piece in code for wrong in _code(piece))]
    return [wrong for wrong in found if not any(wrong.startswith(f"no file {path}") for path in made)]


def _links(page: Path, text: str, links: list[str]) -> Iterator[str]:
    for link in links:
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists():
            yield f"no file for the link {link}"
        elif anchor and anchor not in _anchors(target.read_text(encoding="utf-8") if path else text):
            yield f"no heading for the link {link}"


def _anchors(text: str) -> set[str]:
    """Return the anchors that GitHub gives the headings of a page."""
    headings = _HEADING.findall(_FENCED.sub("", text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _code(piece: str) -> Iterator[str]:
    for path in _PATH.findall(piece):
        pattern = re.sub(r"<[\w-]+>", "*", path).rstrip("./")
        if "..." not in path and not any(ROOT.glob(pattern)):
            yield f"no file {path}"
    for target in _MAKE.findall(piece):
        if target not in targets():
            yield f"no target: make {target}"
    for command, rest in _COMMAND.findall(piece):
        words = _called(command, rest)
        known, name = _options(words), " ".join(words)
        if not known:
            yield f"no command: boardroom {name}"
            continue
        yield from (f"no option: boardroom {name} {option}" for option in _OPTION.findall(rest) if option not in known)
    modules = [*_RUN.findall(piece), *([piece] if _MODULE.fullmatch(piece) else [])]
    yield from (f"no module {module}" for module in modules if not _is_there(module))


@cache
def targets() -> frozenset[str]:
    """Return the targets of the Makefile that people call."""
    return frozenset(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def commands() -> frozenset[str]:
    """Return the names of the commands that `boardroom --help` lists."""
    return _listed(())


def _called(command: str, rest: str) -> tuple[str, ...]:
    """Return the words of a command in a group, such as `admin outbox list`, or of one in none."""
    words = (command,)
    for word in rest.split():
        if word not in _listed(words):
            break
        words += (word,)
    return words


def _listed(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(re.findall(r"^ {2,4}([a-z][a-z-]*) {2,}\S", _help(words), re.MULTILINE))


def _options(words: tuple[str, ...]) -> frozenset[str]:
    """Return the options that the command's own help names; none if there is no such command."""
    return frozenset(re.findall(r"(?<![\w-])--[a-z][a-z-]*", _help(words)))


@cache
def _help(words: tuple[str, ...]) -> str:
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(StringIO()), suppress(SystemExit):
        main([*words, "--help"])
    return out.getvalue()


def _is_there(module: str) -> bool:
    """Whether there is such a module, or a module that defines such a name."""
    parent, _, name = module.rpartition(".")
    if _origin(module) is not None:
        return True
    origin = _origin(parent)
    source = "" if origin is None else Path(origin).read_text(encoding="utf-8")
    return re.search(rf"^(?:class |def |){re.escape(name)}\b", source, re.MULTILINE) is not None


def _origin(module: str) -> str | None:
    """Return the file of a module, which is not run for that; None if there is none."""
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        return None
    return None if spec is None else spec.origin
