"""Programs of others against the API: linters of its document, and clients that are generated from it."""
