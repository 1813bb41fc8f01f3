"""The table of the settings in Markdown, as docs/settings.md has it."""

from __future__ import annotations

from typing import Final

from service.settings.setting import Setting
from service.settings.table import settings_by_field

_HEAD: Final = """# Settings

Every process reads its settings from the environment. What the environment does not have it reads from the file
`boardroom.toml` in the current folder, if there is one; `BOARDROOM_CONFIG` names another file, and set to nothing it
says that there is none. A name in the file is that of the variable in small letters:

```toml
base_url = "https://games.example.org"
trusted_proxies = 1
database_url_file = "/run/secrets/database-url"
rate_limits = "off"
```

The environment wins over the file, also where it sets a variable to nothing. A name in the file that is no setting is
refused, and so is a value that a setting cannot have: the process then says which in one line, and does not start.

A setting marked *secret* can be in a file of its own, which its name with `_FILE` after it leads to, such as
`DATABASE_URL_FILE=/run/secrets/database-url`. The space around the text in that file does not count. `DATABASE_URL`
and `DATABASE_URL_FILE` together are refused. Keep these files, and a `boardroom.toml` with secrets in it, readable by
the service alone.

The address of the database is a URL of libpq. Several hosts stand with commas between, each with its port:
`postgresql://user:password@db1:5432,db2:5432/games?target_session_attrs=read-write`. The first that answers and takes
writes is used, and after a failover the other one. In a password `@`, `/` and `:` are written as `%40`, `%2F`, `%3A`.

This page is made from the code by `make settings`.

| Variable | What it decides | Unit | Without it |
|---|---|---|---|
"""


def markdown() -> str:
    """Return the page."""
    return _HEAD + "".join(f"{_row(each)}\n" for each in settings_by_field().values())


def _row(each: Setting) -> str:
    name = f"`{each.name}`" + (" (secret)" if each.secret else "")
    default = each.without or f"`{each.default}`"
    if each.up is not None:
        default += f", with `make up` `{each.up}`"
    return f"| {name} | {each.says} | {each.unit} | {default} |"
