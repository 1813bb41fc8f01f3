"""Messages to addresses that strangers have named: which may be called, what is said there, and how it is signed."""
