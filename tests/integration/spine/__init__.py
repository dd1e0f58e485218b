"""Tests of integration spine."""
