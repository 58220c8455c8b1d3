"""The grammar → the same language for other programs: highlighters of editors, and decoders of language models.

``python -m gamedsl.language.grammars`` rewrites all files that are made of it.
"""
