"""The schemas of the API: what requests may contain, and what answers promise."""
