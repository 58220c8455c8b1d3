"""A static site: a gallery of games with rulebooks and playable pages, documents, and a search over all of it."""
