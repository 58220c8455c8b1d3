"""Compiles a program to an LLVM module and that to machine code, and reports on the result."""
