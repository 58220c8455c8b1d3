"""Passes over the Core that make compiled playouts fast. Each keeps the meaning; each is one file with one idea."""
