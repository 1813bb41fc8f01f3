"""The speed of the house; `make bench` prints one JSON object a line."""
