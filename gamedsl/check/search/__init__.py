"""Search for plays: random, guided by branch distance, shrunk."""
