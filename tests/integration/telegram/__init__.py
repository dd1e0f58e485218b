"""Tests of integration telegram."""
