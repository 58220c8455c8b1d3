"""Emits LLVM for the Core: the layout of states, expressions, statements, moves, and advancing between stops."""
