"""AST and options → checked → Core."""

from gamedsl.rules.lower import Lowered, check_file, load_lowered, load_program

__all__ = ["Lowered", "check_file", "load_lowered", "load_program"]
