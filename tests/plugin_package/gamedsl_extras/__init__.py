"""An agent, a command, a record format and an adapter, registered by entry points."""
