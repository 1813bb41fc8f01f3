"""What `boardroom up` brings along: PostgreSQL, Redis, a mail sink, and the processes of the service on one machine."""
