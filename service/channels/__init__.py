"""Messages beside mail: which kinds of channel there are, and how a message is sent to each; no SQL, no texts."""
