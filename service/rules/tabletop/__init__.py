"""Page of a table: the parts that a ruleset contributes, and a default for each part that it does not."""
