"""The conversation: whose turn it is, what is asked, and what each answer does."""
