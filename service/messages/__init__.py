"""Messages to addresses of others: channels, push and webhooks; no SQL, no texts."""
