"""Ratings, pairings and the tables of leagues as functions over plain data; pure."""
