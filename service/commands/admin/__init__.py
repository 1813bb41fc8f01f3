"""`boardroom admin`: the commands of operators."""
