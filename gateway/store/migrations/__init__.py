"""Numbered SQL files, applied in order, each in one transaction, never changed after release."""
