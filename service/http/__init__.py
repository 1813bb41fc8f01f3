"""What the API and the pages share: the request, its limits, its problems, and the responses."""
