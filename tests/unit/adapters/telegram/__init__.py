"""Tests of unit adapters telegram."""
