"""`python -m service.settings`: prints docs/settings.md."""

from __future__ import annotations

import sys

from service.settings.document import markdown

sys.stdout.write(markdown())
