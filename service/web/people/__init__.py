"""Pages of people: account, profiles, friends, reports."""
