"""Tests of source."""
