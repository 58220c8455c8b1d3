"""Compiles a program to LLVM modules and these to machine code, and reports on the result."""
