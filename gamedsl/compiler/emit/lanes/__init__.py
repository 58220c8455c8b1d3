"""Many plays at once: a step of all lanes in one call. A lane's action in; mask, observation and rewards out."""
