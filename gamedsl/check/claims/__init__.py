"""Claims and default claims, judged; `verify`."""
