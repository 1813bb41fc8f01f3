"""A bot that plays any game of a Boardroom service by legal actions."""
