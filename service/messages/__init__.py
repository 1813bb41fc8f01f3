"""Messages to external addresses: channels, push and webhooks; no SQL, no texts."""
