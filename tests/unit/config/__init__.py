"""Tests of unit config."""
