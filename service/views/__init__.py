"""Read path: what each viewer may see, built from the log and the tables."""
