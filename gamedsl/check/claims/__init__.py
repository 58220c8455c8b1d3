"""Judges claims and default claims; home of `verify`."""
