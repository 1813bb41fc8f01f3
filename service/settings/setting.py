"""The declaration of one setting, kept in the metadata of a dataclass field."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field
from typing import Any, Final

from service.settings.kinds import ValueKind

DECLARED: Final = "setting"
"""The key of a field's metadata under which its Setting stands."""
KEY_MADE: Final = "`make up` makes one; elsewhere "


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting: its environment variable, its kind, its default as a text, and what its documentation says.

    `up` is the default of `boardroom up` where that differs. `without` says in words what holds if nothing is set,
    where the default itself does not. A secret can be given in a file, named by the variable with `_FILE` after it.
    """

    name: str
    kind: ValueKind
    says: str
    default: str = ""
    up: str | None = None
    unit: str = ""
    without: str = ""
    secret: bool = False

    def read(self, text: str, partial: bool) -> Any:
        """Return the value of a text, or if that is empty the default (`partial`: that of `boardroom up`)."""
        return self.kind.read(self.name, text or (self.default if self.up is None or not partial else self.up))


def setting(name: str, kind: ValueKind, says: str, *, required: bool = False, **more: Any) -> Any:
    """Return a dataclass field for a Setting of these values.

    An object that is made without the field has the default of `boardroom up`, unless the field is `required`.
    """
    declared = Setting(name=name, kind=kind, says=says, **more)
    default = MISSING if required else declared.read("", partial=True)
    return field(default=default, metadata={DECLARED: declared}, repr=not declared.secret)
