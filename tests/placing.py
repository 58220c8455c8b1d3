"""Rules for texts about boards: in turn, each player puts a mark on an empty cell, and a full board is a draw."""

PLACING = """piece mark of player
move place(c: cell) written "{c}"
  when c in empty
  put mark[me] on c
play
  turns from X
    me plays place
      stuck
        draw
"""
