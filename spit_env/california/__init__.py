"""California Speed: cover equal cards in two rows of four."""
