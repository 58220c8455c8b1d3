"""A server for people far apart: tables with a log on the disk, sockets that carry what a seat may know, a lobby."""
