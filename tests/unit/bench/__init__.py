"""Tests of unit bench."""
