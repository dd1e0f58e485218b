"""Tests of unit home."""
