"""Tests of unit cli."""
