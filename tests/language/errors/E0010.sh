gamedsl serve --host 192.0.2.1  # ! E0010
