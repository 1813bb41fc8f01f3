"""Courier: deliver messages to webhooks and channels, in a separate process.

It calls servers of strangers, which may be slow, even on purpose. Mails and the automaton must not wait for them.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from service.messages.calls import CALL_TIMEOUT_S
from service.runtime import Runtime
from service.settings import Settings, ended_by_bad_settings
from service.shared import metrics
from service.store import outbox
from service.store.fast_path import at_hand
from workers.begin import begin_part
from workers.drain import Drain, run_until_signal
from workers.jobs import carry_out

KINDS = ("webhooks", "channel", "webhook")
AT_ONCE = 8
BATCH = 100
# Longer than any call takes, or another courier would repeat the call.
HOLD = round(CALL_TIMEOUT_S) * 4


class Courier(Drain):
    """Drain the outbox of messages to webhooks and channels; any number of couriers may run."""

    def drain(self) -> bool:
        """Write the due messages, and deliver as many as fit at once; return whether there may be more."""
        with at_hand(self._runtime.engine) as db:
            left = outbox.seconds_left(db, KINDS)
        self._note_due(left)
        if left is None or left > 0:
            return False
        with self._runtime.engine.begin() as db:
            notices = outbox.claim(db, "webhooks", BATCH)
        for notice in notices:
            carry_out(self._runtime, notice.id)
        with self._runtime.engine.begin() as db:
            # Messages to persons come first, and leave half of the places to the others.
            messages = [*outbox.claim(db, "channel", AT_ONCE // 2, HOLD)]
            calls = outbox.claim(db, "webhook", AT_ONCE - len(messages), HOLD)
        for kind, rows in (("webhooks", notices), ("channel", messages), ("webhook", calls)):
            metrics.count_claims(kind, len(rows))
        messages += calls
        with ThreadPoolExecutor(AT_ONCE) as threads:
            for message in messages:
                threads.submit(carry_out, self._runtime, message.id)
        return len(notices) == BATCH or len(messages) >= AT_ONCE // 2


@ended_by_bad_settings()
def main() -> None:
    """Run a courier until SIGTERM or SIGINT."""
    settings = Settings.from_env()
    begin_part(settings, settings.part or "courier")
    runtime = Runtime.build(settings)
    runtime.mode.watch()
    run_until_signal(Courier(runtime), settings.part or "courier")


if __name__ == "__main__":
    main()
