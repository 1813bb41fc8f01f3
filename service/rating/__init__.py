"""Ratings: results in, numbers out; pure."""
