"""Computer players over any ruleset: pure, and blind for what their seat cannot see."""
