"""Pages of a table that has begun: the page, its forms, the links of turn mails, the guide."""
