"""What operators do: each function is one transaction, of the act and its event in the log of operators."""
