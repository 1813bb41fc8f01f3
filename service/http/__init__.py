"""Shared HTTP layer of API and pages: requests, limits, problems, responses."""
