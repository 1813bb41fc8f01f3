"""Why a request is refused; an action against the rules of the game is kernel.Illegal, which passes through.

A new refusal is one class in one of these modules (`docs/add-a-refusal.md`); every import of it is from here.
"""

from service.handlers.refusals.access import *  # noqa: F403 - a list of names would be one more place for each refusal
from service.handlers.refusals.agreement import *  # noqa: F403 - likewise
from service.handlers.refusals.competition import *  # noqa: F403 - likewise
from service.handlers.refusals.conflict import *  # noqa: F403 - likewise
from service.handlers.refusals.content import *  # noqa: F403 - likewise
from service.handlers.refusals.game import *  # noqa: F403 - likewise
from service.handlers.refusals.operators import *  # noqa: F403 - likewise
from service.handlers.refusals.passkeys import *  # noqa: F403 - likewise
from service.handlers.refusals.time import *  # noqa: F403 - likewise
from service.shared.refusal import Unavailable as Unavailable
