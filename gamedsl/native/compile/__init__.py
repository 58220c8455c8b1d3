"""A program to an LLVM module, the module to machine code, and what is told of it."""
