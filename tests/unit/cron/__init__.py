"""Tests of cron."""
