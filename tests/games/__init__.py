"""Games that exist only to show that the service does not depend on any one game."""
