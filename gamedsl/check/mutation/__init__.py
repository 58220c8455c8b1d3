"""Mutation testing of examples."""
