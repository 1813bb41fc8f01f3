"""Each page is served: a module that names an address is one of those that are imported when the app is built."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import service.web
from service.web import pages

ROOM = Path(service.web.__file__).parent
ADDRESS = re.compile(r'^@web\.\w+\("/', re.MULTILINE)


def test_every_module_with_a_page_is_registered() -> None:
    with_pages = {path.stem for path in ROOM.glob("*.py") if ADDRESS.search(path.read_text())}
    assert with_pages == {name for name, value in vars(pages).items() if isinstance(value, ModuleType)}
    assert len(with_pages) > 20
