"""Speed and its variants, and Spit with a row of four: a hand of five or four, refilled from a stock."""
