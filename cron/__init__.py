"""Schedules that people made: when they are due, and the message that a due one becomes."""
