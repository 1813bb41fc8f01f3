"""What every room may need and none owns: the clock, a circuit breaker, a cache, messages between processes."""
