"""Programs for those who work on the code: measures, and checks that are no tests."""
