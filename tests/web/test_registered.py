"""Each page is served: a module that names an address is one of those that are imported when the app is built."""

from __future__ import annotations

import re
from pathlib import Path

import service.web
from service.web.pages import MODULES

ROOM = Path(service.web.__file__).parent
ADDRESS = re.compile(r'^@web\.\w+\("/', re.MULTILINE)


def test_every_module_with_a_page_is_registered() -> None:
    with_pages = {path.stem for path in ROOM.glob("*.py") if ADDRESS.search(path.read_text())}
    assert with_pages == {module.__name__.rpartition(".")[2] for module in MODULES}
    assert len(with_pages) > 20
