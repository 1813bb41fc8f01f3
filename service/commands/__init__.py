"""The commands of `boardroom`, one file each."""
