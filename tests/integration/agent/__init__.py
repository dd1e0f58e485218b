"""Tests of integration agent."""
