"""Incoming mail: replies that play, and bounces."""
