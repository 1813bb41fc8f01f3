"""The API's document: what the app promises, as OpenAPI 3.1 in YAML. `python -m service.api.document` prints it."""

from __future__ import annotations

import re
import sys
from typing import Any

import yaml
from flask import Flask

from service.api.contract import CONTRACT
from service.api.mount import mount_api
from service.rules.registry import find_rulesets

_REFERENCE = re.compile(r"'\$ref': '#/components/(\w+)/(\w+)'")

_PARTS = ("operationId", "summary", "description", "tags", "security", "parameters", "requestBody", "responses")
"""What an operation consists of, in the order in which it is written."""


def document(app: Flask) -> str:
    """Return the document of the app's API, always in the same order."""
    api = app.extensions[CONTRACT].spec.to_dict()
    for path in api["paths"].values():
        for method in path.keys() - {"parameters"}:
            path[method] = {part: path[method][part] for part in _PARTS if part in path[method]}
            path[method]["responses"] = dict(sorted(path[method]["responses"].items()))
    _drop_unused(api)
    ordered = {key: api[key] for key in ("openapi", "info", "servers", "tags", "paths", "webhooks", "components")}
    return yaml.dump(ordered, sort_keys=False, allow_unicode=True, width=110, Dumper=_Dumper)


class _Dumper(yaml.SafeDumper):
    """Writes the same object out again instead of naming it with an anchor."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _drop_unused(api: dict[str, Any]) -> None:
    # The library registers components of its own; some are used by nothing, some only by those.
    while True:
        used = set(_REFERENCE.findall(repr(api)))
        for kind in ("schemas", "responses", "parameters", "headers"):
            components = api["components"].get(kind, {})
            for name in [name for name in components if (kind, name) not in used]:
                del components[name]
            if not components:
                api["components"].pop(kind, None)
        if used == set(_REFERENCE.findall(repr(api))):
            return


def main() -> None:
    """Print the document of the API for the games that come with it; needs no servers."""
    app = Flask(__name__)
    mount_api(app, find_rulesets())
    sys.stdout.write(document(app))


if __name__ == "__main__":
    main()
