"""What mails, pages and problems say, in the languages of the players."""
