"""Tests of integration playground model."""
