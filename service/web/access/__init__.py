"""Ways into an account: sign-in, passkeys, tokens, bots, apps."""
