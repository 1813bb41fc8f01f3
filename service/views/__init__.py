"""The read path: what one viewer may see."""
