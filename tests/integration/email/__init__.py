"""Tests of integration email."""
