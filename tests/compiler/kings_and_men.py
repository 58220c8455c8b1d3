"""A small draughts: men that go and jump one way, kings that fly, and as many captures as possible."""

DRAUGHTS = """players X, O
board grid 6 by 6
piece man of player
piece king of player
state
  jumped: set of cell
  need: 0..20
  quiet: 0..20
define dark = {c in cell: (row(c) + column(c)) mod 2 = 0}
define mine = man[me] | king[me]
define theirs = man[rival] | king[rival]
define diagonal(c: cell) = ray(c, ne) | ray(c, nw) | ray(c, se) | ray(c, sw)
define over(c: cell, d: cell, from: cell) = between(c, d) & occupied - {from}
define targets(c: cell, from: cell, done: set of cell) = {d in diagonal(c) & (empty | {from}):
    count(over(c, d, from)) = 1 and over(c, d, from) within theirs - done and
    (from in king[me] or count(between(c, d)) = 1)}
define best(c: cell, from: cell, done: set of cell) at most 20 deep =
    max of 1 + best(d, from, done | over(c, d, from)) for d in targets(c, from, done) or 0
move step(from: cell, to: cell)
  when from in mine
  when to in empty
  when if from in king[me] then to in diagonal(from) and between(from, to) within empty else
      to in steps(from, if me = X then {ne, nw} else {se, sw})
  when need = 0
  if from in man[me]
    set quiet to 0
  else
    add 1 to quiet
  travel(from, to)
move jump(from: cell, to: cell)
  when from in mine
  when to in targets(from, from, jumped)
  when 1 + best(to, from, jumped | over(from, to, from)) = need
  set quiet to 0
  add over(from, to, from) to jumped
  take 1 from need
  travel(from, to)
action travel(from: cell, to: cell)
  if from in king[me]
    move king[me] from from to to
  else
    move man[me] from from to to
play
  put man[X] on {c in dark: row(c) <= 2}
  put man[O] on {c in dark: row(c) >= 5}
  turns from X
    set need to max of best(c, c, {}) for c in mine or 0
    if quiet >= 12
      draw
    me plays jump | step
      stuck
        lose me
    remove man[rival] from jumped
    remove king[rival] from jumped
    set jumped to {}
    let crowned = man[me] & (if me = X then top_row else bottom_row)
    remove man[me] from crowned
    put king[me] on crowned
"""
