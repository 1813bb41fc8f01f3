"""PostgreSQL: the log and what is written together with it."""
