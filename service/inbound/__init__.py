"""What comes in by mail: replies that play."""
