"""Small rulesets, each made for one pass over the Core."""

from __future__ import annotations

from pathlib import Path

from gamedsl.language.core.nodes import Program
from gamedsl.language.rules import load_program

HEAD = "players X, O\nboard grid 3 by 3\npiece mark of player\n"
PUT = "move place(c: cell)\n  when c in empty\n  put mark[me] on c\n"
LINES = f"""{HEAD}{PUT}play
  turns from X
    me plays place
    if some l in lines(3): l within mark[me]
      win me
    if empty = {{}}
      draw
"""


def filled(when_stuck: str) -> str:
    """The text of ``LINES`` with a full board that is a matter of the turn: what is said when nobody can move."""
    return LINES.replace("    if empty = {}\n      draw\n", "").replace("plays place\n", "plays place\n" + when_stuck)


PAIRS = f"""{HEAD}move join(c: cell, d: cell)
  when c in mark[me]
  when d in empty & neighbors(c)
  put mark[me] on d
play
  put mark[X] on a1
  put mark[O] on c3
  turns from X
    me plays join
      stuck
        lose me
"""
LARGE = LINES.replace("3 by 3", "9 by 9")
CALLS = f"""{HEAD}
define free(s: set of cell) = s & empty
move place(c: cell)
  when c in free(neighbors(a1) | {{a1}})
  put mark[me] on c
play
  turns from X
    me plays place
    if no m in moves(rival, place): yes
      win me

"""
TABLES = f"""{HEAD}move place(c: cell)
  when c in empty
  put mark[me] on c
  if row(c) = column(c)
    remove mark[rival] from {{d in cell: row(d) = row(c) or column(d) = column(c)}}
play
  turns from X
    me plays place
      stuck
        draw
"""
SETS = f"""{HEAD}{PUT}play
  turns from X
    me plays place
    if some c in mark[me]: neighbors(c) within mark[rival]
      win rival
    if every c in mark[me]: neighbors(c) disjoint mark[rival]
      win me
"""
PLANS = f"""{HEAD}move place(c: cell)
  when c in empty
  when neighbors(c) disjoint mark[me]
  when row(c) != 2 or mark[rival] = {{}}
  put mark[me] on c
play
  turns from X
    me plays place
      stuck
        lose me
"""
RAYS = f"""{HEAD.replace("3 by 3", "4 by 1")}move place(c: cell)
  when c in empty
  when mark[me] = {{}} or (some d in mark[me]: between(c, d) within mark[rival] and between(c, d) != {{}})
  let line = union of between(c, d) for d in mark[me]: between(c, d) within mark[rival]
  remove mark[rival] from line
  put mark[me] on line | {{c}}
play
  turns from X
    me plays place
      stuck
        draw
"""
HOPELESS = f"""{HEAD}{PUT}move first
  when turn = 1
play
  turns from X
    me plays place | first
    if turn = 4
      draw
"""
CHOSEN = f"""players X, O, Z
board grid 3 by 3
piece mark of player
state
  starter: player
{PUT}play
  Z chooses starter
  turns from starter
    me plays place
    if some l in lines(3): l within mark[me]
      win me
    if empty = {{}}
      draw
"""
# Who begins is drawn by lot, and the one to the left of the last line goes on: both follow from the position.
LED = f"""players X, O, Z
board grid 4 by 4
piece mark of player
state
  starter: player
{PUT}play
  pick at random from players -> drawn
  set starter to drawn
  turns from starter
    me plays place
    if count(mark[X]) = 3
      set starter to next(me)
    if some l in lines(3): l within mark[me]
      win starter
    if empty = {{}}
      draw
"""
# Now and then the next one is to move: inside a condition, after which nobody knows who.
HANDED = """players X, O, Z
board grid 3 by 3
piece mark of player
state
  holder: player
move place(c: cell)
  when c in empty
  put mark[me] on c
play
  pick at random from players -> drawn
  set holder to drawn
  repeat
    holder plays place
    if some l in lines(3): l within mark[holder]
      win holder
    if count(mark[holder]) mod 2 = 1
      set holder to next(holder)
  until empty = {}
  draw
"""
# A card shows which steps are made, counted from the player's side.
CARDS = """players X, O
type card = {tiger, crab, crane, boar}
board grid 4 by 5
piece mark of player
state
  hand: player -> set of card
table shown: card -> set of (-2..2, -1..1)
  tiger: (0, 1), (2, -1)
  crab:  (-2, 0), (2, 0), (0, 1)
  crane: (0, 1), (-1, -1), (1, -1)
  boar:  (0, 1), (-1, 0), (1, 0)
define side = if me = X then 1 else -1
move go(k: card, here: cell, there: cell)
  when k in hand[me]
  when here in mark[me] and there not in mark[me]
  when (side * (column(there) - column(here)), side * (row(there) - row(here))) in shown[k]
  remove mark[rival] from there
  move mark[me] from here to there
  take k from hand[me]
  add k to hand[rival]
play
  put mark[X] on top_row
  put mark[O] on bottom_row
  set hand[X] to {tiger, crane}
  set hand[O] to {crab, boar}
  turns from X, 40 times
    me plays go
      stuck
        lose me
    if mark[rival] = {}
      win me
  draw
"""
STEPS = f"""{HEAD}move go(here: cell, there: cell)
  when here in mark[me]
  when there in steps(here, {{north, east}})
  when there not in mark[me]
  remove mark[rival] from there
  move mark[me] from here to there
play
  put mark[X] on a1
  put mark[O] on b1
  turns from X
    me plays go
      stuck
        lose me
"""
SIGHT = f"""{HEAD.replace("3 by 3", "4 by 4")}define stops(me: player, a: cell, b: cell) = if same_row(a, b) then occupied else mark[me]
move slide(here: cell, there: cell)
  when here in mark[me]
  when there not in mark[me] and aligned(here, there)
  when between(here, there) disjoint stops(me, here, there)
  remove mark[rival] from there
  move mark[me] from here to there
play
  put mark[X] on a1
  put mark[O] on b1
  turns from X
    me plays slide
      stuck
        lose me
"""
ORDERS = f"""{HEAD}move turn(here: cell, bend: cell, there: cell)
  when here in mark[me]
  when bend in empty and bend in corners(here, there)
  when there in mark[rival]
  remove mark[rival] from there
  put mark[rival] on bend
play
  put mark[X] on a1
  put mark[O] on c2
  turns from X
    me plays turn
      stuck
        lose me
"""
MANY = """players X, O
board grid 5 by 5
piece mark of player
move three(a: cell, b: cell, c: cell)
  when a in empty and b in empty and c in empty
  when a != b and b != c and a != c
  put mark[me] on {a, b}
  put mark[rival] on c
play
  turns from X, 2 times
    me plays three
  if row(the(mark[X])) = 1
    win X
  win O
"""
DICE = f"""{HEAD}move place(c: cell)
  when c in empty
  roll d2 -> coin
  if coin = 2
    put mark[me] on c
move spoil(c: cell)
  when c in mark[rival]
  roll d2 -> coin
  if coin = 2
    remove mark[rival] from c
play
  turns from X
    me plays place | spoil
"""
HOPS = f"""{HEAD.replace("3 by 3", "9 by 9")}piece rock of player
move march(here: cell, there: cell)
  when here in mark[me]
  when there in steps(here, {{north, east}}) & empty
  move mark[me] from here to there
move leap(here: cell, there: cell)
  when here in rock[me]
  when there in neighbors(here, corner) or aligned(here, there) and distance(here, there) = 2
  when between(here, there) within mark[rival]
  when there not in rock[me] | mark[me]
  remove mark[rival] from there
  remove rock[rival] from there
  move rock[me] from here to there
move found(here: cell)
  when here in empty
  when neighbors(here) meets rock[me]
  put rock[me] on here
play
  put mark[X] on bottom_row
  put mark[O] on top_row
  put rock[X] on c5
  put rock[O] on g5
  turns from X
    me plays march | leap | found
      stuck
        lose me
    if mark[me] meets top_row | bottom_row
      win me
"""
# Where a shot from the last square may land, as a set with a condition.
SHOTS = f"""{HEAD}state
  last: cell
define reach(c: cell) = {{d in cell: aligned(c, d) and d in empty and between(c, d) within empty}}
move shoot(there: cell)
  when there in reach(last)
  put mark[me] on there
  set last to there
play
  turns from X
    me plays shoot
      stuck
        lose me
"""
# Over a neighbour that a direction leads to; whoever can jump must.
JUMPS = f"""{HEAD.replace("3 by 3", "5 by 5")}piece rock of player
define ways(c: cell) = if c in rock[me] then {{north, south, east, west}} else {{north, east}}
define landings(c: cell) = union of steps(o, {{direction(c, o)}}) & empty for o in steps(c, ways(c)) & (mark[rival] | rock[rival])
move leap(here: cell, there: cell)
  when here in mark[me] | rock[me]
  when there in landings(here)
  remove mark[rival] from between(here, there)
  remove rock[rival] from between(here, there)
  if here in rock[me]
    move rock[me] from here to there
  else
    remove mark[me] from here
    put rock[me] on there
move march(here: cell, there: cell)
  when here in mark[me]
  when there in steps(here, ways(here)) & empty
  when every c in mark[me] | rock[me]: landings(c) = {{}}
  move mark[me] from here to there
play
  put mark[X] on bottom_row
  put mark[O] on top_row
  put rock[O] on c3
  turns from X, 40 times
    me plays leap | march
      stuck
        lose me
  draw
"""
REACH = f"""{HEAD}{PUT}play
  turns from X
    me plays place
    if connected(mark[me], left_column, right_column)
      win me
    if empty = {{}}
      draw
"""
# A component that meets three sides.
JOINS = f"""{HEAD}{PUT}play
  turns from X
    me plays place
    if some c in mark[me] & top_row: component(c, mark[me]) meets left_column and component(c, mark[me]) meets right_column
      win me
    if empty = {{}}
      draw
"""
# What the last stone's component touches, on a board whose corners belong to no side, and what it surrounds.
RINGS = """players X, O
board hex 4
piece mark of player
state
  last: cell
define sides = {c in rim: count(neighbors(c)) > 3}
define own(p: player) = component({last} & mark[p], mark[p])
define ring(p: player) = cell - mark[p] - component(rim - mark[p], cell - mark[p]) != {}
define whole(p: player) = some c in mark[p] - rim: neighbors(c) within mark[p]
move place(c: cell)
  when c in empty
  put mark[me] on c
  set last to c
play
  turns from X
    me plays place
    if count(own(me) & (rim - sides)) >= 2 or ring(me) or count(component(own(me) & sides, sides)) >= 6 or whole(me)
      win me
    if empty = {}
      draw
"""
# Looking ahead: moves that may not make two rows at once, or that must not make a row, and a set that rows must keep away from.
AHEAD = f"""{HEAD.replace("3 by 3", "4 by 4")}state
  shut: set of cell
  limit: 0..9 = 9
define row(p: player) = some l in lines(3): l within mark[p] and every c in l: neighbors(c) disjoint shut
define near = some m in moves(rival, place): after m: row(rival)
forbid row(X) and row(O)
{PUT}move quiet(c: cell)
  when c in empty
  when after this: not row(me)
  when after waiting: near
  put mark[me] on c
move close(c: cell)
  when c not in shut and limit > 0
  take 1 from limit
  set shut to shut | {{c}}
move open(c: cell)
  when c in shut
  set shut to shut - {{c}}
play
  turns from X
    me plays place | quiet | close | open
      stuck
        draw
    if row(me)
      win me
    if row(rival)
      win rival
"""

WHOLE = """players X, O
board grid 5 by 5
piece mark of player
piece king of player
state
  quiet: 0..40
define straight = {n, e, s, w}
define slides(c: cell, dirs: set of direction) = union of {t in ray(c, d): between(c, t) disjoint
    occupied} for d in dirs
define ways(c: cell) = if c in king[me] then any_way else straight
define any_way = {n, ne, e, se, s, sw, w, nw}
define far(c: cell) = {t in ray(c, n): distance(c, t) = 2 and between(c, t) disjoint mark[rival]}
define in_check(p: player) = slides(the(king[p]), straight) meets mark[rival(p)]
move go(from: cell, to: cell)
  when from in mark[me] | king[me]
  when to in slides(from, ways(from)) | far(from)
  when to not in occupied
  when after this: not in_check(me)
  add 1 to quiet
  if from in king[me]
    set quiet to 0
  if from in mark[me]
    move mark[me] from from to to
  else
    move king[me] from from to to
play
  put mark[X] on {a1, e1}
  put mark[O] on {a5, e5}
  put king[X] on b2
  put king[O] on d4
  turns from X
    if quiet >= 30
      draw
    me plays go
      stuck
        lose me
"""

WAYS = """players X, O
board grid 9 by 9
piece wall
piece pawn of player
define goal(p: player) = if p = X then top_row else bottom_row
move build(c: cell, d: direction)
  when c in empty
  when steps(c, {d}) within empty and d in {n, e}
  when after this: connected(cell - wall, pawn[X], goal(X)) and connected(cell - wall, pawn[O], goal(O))
  put wall on {c} | steps(c, {d})
move walk(c: cell)
  when c in neighbors(the(pawn[me])) & empty
  let here = the(pawn[me])
  move pawn[me] from here to c
play
  put pawn[X] on e1
  put pawn[O] on e9
  turns from X
    me plays build | walk
      stuck
        draw
    if pawn[me] meets goal(me)
      win me
"""


CUTS = f"""{HEAD.replace("3 by 3", "4 by 4")}state
  cuts: set of edge
define linked(a: cell, b: cell) = some way in passages(a, b): way disjoint cuts
define row(p: player) = some l in lines(3): l within mark[p] and every (a, b) in steps(l): linked(a, b)
forbid row(X) and row(O)
{PUT}move cut(e: edge)
  when e not in cuts
  when after this: not row(me)
  set cuts to cuts | {{e}}
play
  turns from X
    me plays place | cut
      stuck
        draw
    if row(me)
      win me
"""


FEW = f"""{HEAD.replace("3 by 3", "4 by 4")}state
  held: player -> set of cell
  wait: player -> 0..4
table late: player -> 0..2
  X:    1
  else: 2
define row(p: player) = some l in lines(3): l within mark[p] and every c in l: c not in held[X] and c not in held[O]
forbid row(X) and row(O)
{PUT}move hold(l in blocks(2, 2))
  when held[me] = {{}}
  set held[me] to l
  set wait[me] to 4
move let_go(p: player)
  when held[p] != {{}}
  when wait[p] = 0
  set held[p] to {{}}
move sooner(p: player)
  when wait[p] > 1
  when wait[me] + late[p] > 3
  take 1 from wait[p]
play
  turns from X
    me plays place | hold | let_go | sooner
      stuck
        draw
    if row(me)
      win me
"""


SEEDS = """players X, O
board grid 6 by 2
state
  seeds: cell -> 0..9 = 2
  last: 1..6
  most: 1..9 = 3
move take(c: cell, n: 1..9)
  when seeds[c] > 1
  when n <= most
  for d in cell
    set seeds[d] to (seeds[d] + n) mod 10
  set last to column(c)
  for d in cell
    if column(d) = last and seeds[d] < 5 and row(d) = 1
      add 1 to seeds[d]
  set most to n
play
  turns from X
    me plays take
      stuck
        lose me
"""


# Pieces that each have a place, which may be none: the sets of their places, and conditions on the one place.
PLACES = """players X, O
board grid 4 by 4
type number = 1..3
state
  at: player -> number -> cell?
define places(p: player) = {c in cell: some k in number: at[p, k] = c}
move enter(k: number, c: cell)
  when at[me, k] is none
  when c not in places(me)
  set at[me, k] to c
move go(k: number, to: cell)
  when some c in cell: at[me, k] = c and to in neighbors(c)
  when to not in places(me)
  for j in number
    if at[rival, j] = to
      set at[rival, j] to none
  set at[me, k] to to
play
  turns from X, 30 times
    me plays enter | go
      stuck
        lose me
    if a1 in places(me)
      win me
  draw
"""


COUNTED = f"""{HEAD}state
  rest: player -> countdown up to 4
move place(c: cell)
  when c in empty
  when rest[me] = 0
  put mark[me] on c
  set rest[me] to 2
play
  turns from X
    me plays place
      stuck
        draw
"""


# A ring of eight places in the order in which one runs round; a loop behind every second place.
CIRCUIT = f"""{HEAD}type way = {{around}}
table place: way -> 0..11 -> cell
  around: a1, b1, c1, c2, c3, b3, a3, a2, a1, b2, c3, b2
define looped(k: 0..11, x: 0..11) = k div 2 != x div 2
define run(from: cell, k: 0..11) = reach of (x + 1) mod 12 for x from {{k}} & 0..11:
    place[around, x] in empty | {{from}}
define hits(from: cell) = {{place[around, x] for k in 0..11, x in run(from, k): place[around, k] = from and looped(k, x)}}
move put_down(c: cell)
  when c in empty
  put mark[me] on c
move take(from: cell, to: cell)
  when from in mark[me]
  when to in mark[rival]
  when to in hits(from)
  remove mark[rival] from to
  move mark[me] from from to to
play
  turns from X, 20 times
    me plays put_down | take
      stuck
        lose me
  draw
"""


# Piles of which several flat stones are carried two ways; only a wall that is carried alone may fall on a wall.
PILES = """players X, O
board grid 3 by 3
type kind = {flat, wall}
state
  pile: cell -> stack of kind up to 6
define walls = {c in cell: height(pile[c]) > 0 and top(pile[c]) = wall}
define open_to(from: cell, to: cell, n: 1..3) = to not in walls or n = 1 and top(pile[from]) = wall
move add(c: cell, k: kind)
  when height(pile[c]) < 3 and c not in walls
  push k on pile[c]
move carry(from: cell, a: 1..3, b: 0..2, east: cell, north: cell)
  when height(pile[from]) > 0
  when east in neighbors(from) and north in neighbors(from)
  when a + b <= height(pile[from])
  when open_to(from, east, a)
  when b = 0 or open_to(from, north, b)
  when height(pile[east]) + a <= 6 and height(pile[north]) + b <= 6 and east != north
  repeat a times
    pop pile[from]
    push flat on pile[east]
  repeat b times
    pop pile[from]
    push flat on pile[north]
play
  turns from X, 20 times
    me plays add | carry
      stuck
        lose me
  draw
"""
MAZE = """players X, O
board grid 7 by 7
piece wall on edge
piece pawn of player
state
  goals: set of cell = top_row
define open(c: cell) = {d in neighbors(c): edge_between(c, d) not in wall}
move build(e: edge)
  when e not in wall
  when after this: connected(cell, pawn[X], top_row, open) and connected(cell, pawn[O], bottom_row, open)
  when after this: connected(cell, pawn[me], goals, open)
  put wall on e
move walk(c: cell)
  when c in open(the(pawn[me]))
  let here = the(pawn[me])
  move pawn[me] from here to c
  set goals to {c} | {d in cell: column(d) = column(c) and row(d) > 5}
play
  put pawn[X] on d1
  put pawn[O] on d7
  turns from X
    me plays build | walk
      stuck
        draw
"""


def program_of(text: str, folder: Path) -> Program:
    path = folder / "small.gdl"
    path.write_text(text, encoding="utf-8")
    return load_program(str(path))
