"""Playing in a terminal. Each room uses those before it: `picture`, `render`, `texts`, `session`, `saving`, `input`,
`screen`, `table`; `play` is the command."""
