"""Shared basics without a room of their own: clock, circuit breaker, cache, messages between processes."""
