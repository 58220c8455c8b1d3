"""The grammar → the same language for other programs: highlighters of editors, and decoders of language models.

``python -m gamedsl.language.grammars.derived_files`` rewrites all files that are made of it.
"""
