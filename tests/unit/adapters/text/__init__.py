"""Tests of unit adapters text."""
