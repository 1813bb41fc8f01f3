"""The pages of people: the account, profiles, friends, reports."""
