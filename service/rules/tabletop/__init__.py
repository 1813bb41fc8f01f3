"""The page of a table: what a ruleset contributes, and a default for each part that it does not."""
