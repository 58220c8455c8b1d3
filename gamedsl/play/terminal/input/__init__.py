"""Typing, clicks and drawing, turned into commands and moves."""
