"""What can be wrong with what a caller asks of the bots. A ``ValueError`` with a one-line message."""


class BadPlayer(ValueError):
    """A player's name that is unknown or cannot be read."""
