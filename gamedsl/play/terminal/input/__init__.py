"""What a person types, clicks or draws, turned into commands and moves."""
