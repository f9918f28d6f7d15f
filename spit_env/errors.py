"""What can be wrong with what a caller hands in. Each is a ``ValueError`` with a one-line message."""


class BadRules(ValueError):
    """A rule value that is unknown, or values that contradict each other."""


class BadLatency(ValueError):
    """A latency profile that is unknown or has impossible values."""


class BadText(ValueError):
    """A text that is not a card, a move or a board."""


class BadBoard(ValueError):
    """A board that cannot exist under the rules, such as one with a card twice."""


class BadReplay(ValueError):
    """A replay or saved game that is damaged, of another version, or does not replay to its own hashes."""


class GamePaused(ValueError):
    """An action for a restored game whose clock does not run yet."""


class GameOver(ValueError):
    """An action for a game that has ended."""
