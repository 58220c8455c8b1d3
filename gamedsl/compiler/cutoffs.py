"""All cut-offs of the compiler: the sizes at which it gives up, or switches to another strategy.

None of them changes what a program means. `python benchmarks/cutoffs.py` halves and doubles each of them. It reports
for which shipped rulesets this changes the code, and by how much it changes playouts and compile time;
docs/reference/cutoffs.md has the latest results. A cut-off without effect there bounds compile time or code size for
future rulesets.
"""

from __future__ import annotations

# ------------------------------------------------------------------------------------------------ several packages
PLAN_TABLE_WORK = 600_000  # tables of plans: entries times nodes of the conditions that are evaluated
PLAN_TABLE_WORDS = 4_096  # ... words of a table
TABLE_WORK = 40_000  # constant tables: entries times nodes of the expression that is evaluated

# ---------------------------------------------------------------------------------------------------- analysis/
BOUND_PATHS = 64  # outcome bounds: paths to an end of play
BOUND_CASES = 64  # ... cases into which a path is split
BOUND_VALUES = 8  # ... values of a variable by which a path is split
BOUND_NODES = 3_000  # ... nodes of a bound; larger ones are dropped
BOUND_VISITS = 10_000  # ... nodes visited while calls are expanded
RANGE_NODES = 4_000  # value ranges: nodes visited for an expression; larger ones are dropped
POINTWISE_PARTS = 10  # pointwise comparison of sets: parts (all 2^n cases are tried)
FOLLOWED_SLOTS = 8  # symbolic states: slots of a map that is read at a variable key

# --------------------------------------------------------------------------------------------------- transform/
INLINED_NODES = 3_000  # inlining: nodes of an expression; beyond, the program is not specialized
INLINED_TOTAL = 60_000  # ... nodes of all expressions
SPECIALIZED_BLOCKS = 96  # specialize: blocks; beyond, the control variable with the most values becomes an ordinary one
FORKED_BLOCKS = 48  # ... blocks if playouts fork on a chosen value
FORKS = 4  # ... values on which a playout forks
LOOKAHEAD_NODES = 12_000  # look-ahead: nodes visited for an expression
LOOKAHEAD_INLINED = 24  # ... nodes of a function that is inlined
LOOKAHEAD_ROUNDS = 8  # ... iterations of an unrolled loop over a constant set
LOOKAHEAD_NAMED = 12  # ... nodes of a value that is not bound to a name
LOOKAHEAD_RESET_SLOTS = 16  # ... slots of a map that is reset
FUSED_PARTS = 3  # fuse images: parts of an element, each of which must be met
FUSED_ELEMENTS = 512  # ... elements of a domain
FUSED_SHIFTS = 12  # ... shifts up to which an image counts as free of look-ups
LIFTED_VALUES = 6  # lift conditions: values by which a condition is split
LIFTED_ROUNDS = 8  # ... iterations of an unrolled quantifier over a constant set
CHEAPER_SETS = 2  # lift quantifiers: times that a filter must cost as much as the sets that replace it
THRESHOLD_WORDS = 2_048  # ... words of a table of sets by a number
KEYED_SLOTS = 8  # ... slots of a map that are read one by one
TUPLES = 64  # tuple sets: tuples of a move's parameters
TUPLE_NODES = 120  # ... nodes of the set
ORDERED_PARAMS = 4  # parameter order: parameters (all orders are tried)
ORDER_COST = 0.8  # ... another order is taken if its estimated cost is below this fraction
HOP_MASKS = 24  # hop masks: masks of a decision
HOP_SHIFTS = 32  # ... shifts for conditions on what lies between; beyond, moves are enumerated along rays
SHIFT_CASES = 8  # shifted conditions: distances or values that a quantified element may have
SHIFT_WORK = 60_000  # ... nodes evaluated for a condition
UNROLLED_ELEMENTS = 8  # unroll filters: elements
UNROLLED_UNION = 8  # ... elements of a union over constants
UNROLLED_SHORT = 5  # ... nodes per element up to which a condition always counts as short
UNROLLED_NODES = 80  # ... nodes of all conditions together
MERGED_WORDS = 2048  # merge look-ups: words of a table of sets
HOISTED_COST = 2  # split functions: least cost of an argument (loop 1, call 2)
GENERIC_INLINED = 24  # prepare generic: nodes of a function that is inlined
GENERIC_INLINED_PURE = 120  # ... nodes of one that reads no state
GENERIC_ROUNDS = 8  # ... iterations of an unrolled loop over a constant set
GENERIC_UNROLLED = 600  # ... nodes of all iterations together
POINTED_NODES = 60  # ... nodes of a condition on each of a few looked-up elements, together
GENERIC_TABLE_NAMES = 3  # ... names on which a table may depend

# -------------------------------------------------------------------------------------------------------- emit/
SPECULATED_NODES = 12  # expressions: nodes of an operand that is evaluated without a branch
NOINLINE_DEPTH = 6  # ... depth of nested loops in a function that LLVM must not inline
GENERIC_LIST = 256  # picks: moves of a schema in a list
CANDIDATE_LIST = 256  # rejection sampling: candidates of a schema in a list; beyond, all legal moves are listed
LIST_ENTRIES = 256  # move lists: entries
LIST_NODES = 30  # ... nodes inside the outermost loop; below, moves are enumerated twice
INNER_SET_NODES = 16  # inner set cache: least number of nodes of a cached set
PATH_WORDS = 256  # flood path cache: words per context
PATH_ROUNDS = 24  # ... rounds of a flood whose path is recorded
IMAGE_SHIFTS = 12  # images: shifts; beyond, images are looked up in tables
FLOOD_STEPS = 20  # ... steps of a flood along chains that is unrolled without a test for its end
PART_OF_WORD = 6  # image tables: elements per chunk, for sets of one word
PART_OF_WORDS = 4  # ... for larger sets
IMAGE_TABLE = 192  # ... elements of a domain
UNROLLED_MEMBERS = 4  # loops: members of a constant set over which a loop is unrolled
PATTERN_TABLE = 12  # line patterns: elements of a domain whose subsets are all tabulated
PATTERN_SHAPES = 12  # ... shapes; beyond, lines are tested one by one
PLACED_LINES = 192  # line places: lines
SIMD_ELEMENTS = 4  # SIMD over elements: fewer are tested one by one
SIMD_NUMBERS = 10  # SIMD over numbers: slots of a map; fewer are read one by one
SIMD_WORK = 300  # ... nodes times vectors
SIMD_DIRECTIONS = 4  # SIMD over directions: fewer are flooded one by one
PACKED_FIELDS = 600  # packed states: fields; states with more are not packed

# ---------------------------------------------------------------------------------------------------- playouts/
LEVELS = 12  # scalar playouts: elements of a remaining set for whose sizes code is duplicated
PLAYED_ON = 3  # ... remaining elements from which ends are noted instead of branched on
NOTED_ENDS = 32  # ... ends that are noted (bits of half a word)
SELECTED_WORDS = 8  # ... words of hop masks that are selected in registers

# ----------------------------------------------------------------------------------------------------- compile/
LARGE_MODULE = 12_000  # lines of a module in which LLVM inlines less
LARGE_MODULE_INLINING = 50  # its inlining threshold (default 225)
