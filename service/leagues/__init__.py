"""Leagues and tournaments as functions over plain data: groups, pairings, tables, promotion (docs/leagues.md)."""
