"""Pages for people, in plain HTML."""
