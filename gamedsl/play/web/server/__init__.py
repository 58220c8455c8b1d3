"""A server for remote players: tables logged to disk, sockets that carry what each seat may know, and a lobby."""
