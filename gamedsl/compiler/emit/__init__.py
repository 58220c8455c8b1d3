"""Emits LLVM for the Core: state layout, expressions, statements, moves, and advancing between stops."""
