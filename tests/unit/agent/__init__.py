"""Tests of unit agent."""
