"""The Core to LLVM: state layout, expressions, statements, moves, going from stop to stop."""
