"""Statements on PostgreSQL: the log and all that is written together with it."""
