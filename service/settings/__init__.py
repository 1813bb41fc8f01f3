"""The settings of the service: the only reader of the environment, but for RULESET_PACKAGES (service.shared.rulesets).

`python -m service.settings` prints their table as docs/settings.md has it.
"""

from service.settings.kinds import BadSetting
from service.settings.server import POOL, PROCESSES, SMALLEST_POOL, THREADS
from service.settings.table import Settings, default_base_url

__all__ = ["POOL", "PROCESSES", "SMALLEST_POOL", "THREADS", "BadSetting", "Settings", "default_base_url"]
