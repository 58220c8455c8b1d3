"""Declarations → the environment of a ruleset; boards, look and claims."""
