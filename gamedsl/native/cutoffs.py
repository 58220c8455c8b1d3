"""All cut-offs of the compiler in one place: where it stops trying, or takes the other of two ways.

None of them changes what a program means. `python benchmarks/cutoffs.py` halves and doubles each of them and tells for which
shipped rulesets that changes the code, and by how much plays and compiling; docs/reference/cutoffs.md keeps the last
run. A cut-off for which it finds nothing bounds the time to compile, or the size of the code, of rulesets yet to come.
"""

from __future__ import annotations

# ------------------------------------------------------------------------------------------------ all of native/
TABLE_WORK = 40_000  # constant tables: entries times nodes of the expression that is evaluated

# ---------------------------------------------------------------------------------------------------- analysis/
BOUND_PATHS = 64  # outcome bounds: paths to an end of play that are followed
BOUND_CASES = 64  # ... cases that a path is taken apart into
BOUND_VALUES = 8  # ... values of a variable that are told apart
BOUND_NODES = 3_000  # ... nodes of a bound; a larger one is given up
BOUND_VISITS = 10_000  # ... nodes visited while calls are expanded
RANGE_NODES = 4_000  # value ranges: nodes visited for an expression; a larger one is given up
POINTWISE_PARTS = 10  # pointwise comparison of sets: parts, of which all 2^n cases are tried
FOLLOWED_SLOTS = 8  # symbolic states: slots of a map that is read at a key that is not constant

# --------------------------------------------------------------------------------------------------- transform/
INLINED_NODES = 3_000  # inlining: nodes that an expression may grow to; beyond, the program is not specialized
INLINED_TOTAL = 60_000  # ... that all expressions may grow to
SPECIALIZED_BLOCKS = 96  # specialize: blocks; beyond, the control variable with the most values becomes an ordinary one
FORKED_BLOCKS = 48  # ... where plays fork behind a chosen value
FORKS = 4  # ... values that a play forks for
LOOKAHEAD_NODES = 12_000  # look-ahead: nodes gone through for an expression
LOOKAHEAD_INLINED = 24  # ... nodes of a function that is inlined
LOOKAHEAD_ROUNDS = 8  # ... rounds of a loop over a constant set that is unrolled
LOOKAHEAD_NAMED = 12  # ... nodes of a value that gets a name
LOOKAHEAD_RESET_SLOTS = 16  # ... slots of a map that is reset
OUTLINED_NODES = 150  # outline functions: nodes of a test that becomes a function
FUSED_PARTS = 3  # fuse images: sets of the first domain that an element must meet all of
FUSED_ELEMENTS = 512  # ... elements of a domain
FUSED_SHIFTS = 12  # ... shifts by which an image costs no look-up
LIFTED_VALUES = 6  # lift conditions: values that a condition is split by
LIFTED_ROUNDS = 8  # ... rounds of a quantifier over a constant set that is unrolled
ORDERED_PARAMS = 4  # parameter order: parameters, of which all orders are tried
ORDER_COST = 0.8  # ... another order is taken when its estimated cost is below this share
HOP_MASKS = 24  # hop masks: masks of a decision
HOP_SHIFTS = 16  # ... shifts for conditions on what lies between; beyond, plans go along rays
UNROLLED_ELEMENTS = 8  # unroll filters: elements
UNROLLED_SHORT = 5  # ... nodes of a condition that is short in any case
UNROLLED_NODES = 80  # ... nodes of all conditions together
HOISTED_COST = 2  # split functions: the least cost of what becomes an argument (a loop 1, a call 2)
GENERIC_INLINED = 24  # prepare generic: nodes of a function that is inlined
GENERIC_INLINED_PURE = 120  # ... nodes of one that reads no state
GENERIC_ROUNDS = 8  # ... rounds of a loop over a constant set that is unrolled
GENERIC_UNROLLED = 600  # ... nodes of all rounds together
GENERIC_TABLE_NAMES = 3  # ... names that a table may depend on

# -------------------------------------------------------------------------------------------------------- emit/
SPECULATED_NODES = 12  # expressions: nodes of an operand that can't fail, evaluated without a branch
NOINLINE_DEPTH = 6  # ... loops within each other in a function that LLVM must not inline
GENERIC_LIST = 256  # picks: moves of a kind that are listed
LIST_ENTRIES = 256  # move lists: entries
LIST_NODES = 30  # ... nodes inside the outermost loop; below, moves are enumerated twice
INNER_SET_NODES = 16  # inner set cache: nodes of a set that is cached
PATH_WORDS = 256  # flood path cache: words of a context
PATH_ROUNDS = 24  # ... rounds of a flood whose path is noted
IMAGE_SHIFTS = 12  # images: shifts; beyond, an image is looked up in tables
FLOOD_STEPS = 20  # ... steps of a flood along chains that is unrolled without asking whether it is over
PART_OF_WORD = 6  # image tables: elements of a part, of a set of one word
PART_OF_WORDS = 4  # ... of a larger set
IMAGE_TABLE = 192  # ... elements of a domain
UNROLLED_MEMBERS = 4  # loops: members of a constant set over which a loop is unrolled
PATTERN_TABLE = 12  # line patterns: elements of a domain, all subsets of which are in a table
PATTERN_SHAPES = 12  # ... shapes; beyond, lines are tested one by one
PLACED_LINES = 192  # line places: lines
SIMD_ELEMENTS = 4  # SIMD over elements: fewer are tested one by one
SIMD_WORK = 300  # ... nodes times vectors
SIMD_DIRECTIONS = 4  # SIMD over directions: fewer are flooded one by one
PACKED_FIELDS = 600  # packed states: fields; a state of more is copied as it is

# ---------------------------------------------------------------------------------------------------- playouts/
LEVELS = 12  # scalar playouts: elements of a remaining set for each size of which the code is written out
PLAYED_ON = 3  # ... elements left from which on nobody asks whether the play is over
NOTED_ENDS = 32  # ... ends noted there (bits of half a word)
SELECTED_WORDS = 8  # ... words of hop masks that are selected from in registers

# ----------------------------------------------------------------------------------------------------- compile/
LARGE_MODULE = 12_000  # lines of a module in which LLVM inlines less
LARGE_MODULE_INLINING = 50  # its inlining threshold (usually 225)
