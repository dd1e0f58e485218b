"""Tests of the mail adapter that need no connection."""
