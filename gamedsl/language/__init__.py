"""From text to Core: source texts and errors, syntax, boards, the Core, and the rules that translate into it."""
