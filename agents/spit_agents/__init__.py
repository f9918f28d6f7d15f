"""Bots, and the runner of exported policies. Needs no torch."""
