"""The commands of `boardroom`; service.commands.cli lists them."""
