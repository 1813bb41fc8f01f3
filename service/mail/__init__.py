"""Outgoing mail: composed, addressed and sent."""
