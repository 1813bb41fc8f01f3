"""Mail that comes in: replies that play, and bounces."""
