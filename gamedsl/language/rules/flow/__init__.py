"""Statements, moves and the course of play → blocks, schemas and statements of the Core."""
