"""Pages of messages: mail settings, channels, calendar, webhooks, the local mailbox."""
