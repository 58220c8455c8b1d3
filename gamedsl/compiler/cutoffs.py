"""All cut-offs of the compiler: the sizes at which it gives up, or switches to another strategy.

None of them changes what a program means. ``WORK`` and ``VISITED_NODES`` are the budgets of the compiler's own work;
``EXPRESSION_NODES``, ``COPIED_NODES`` and ``TABLE_WORDS`` bound what it writes; ``UNROLLED`` and ``CASES`` how often it
writes it. The others are the sizes from which one strategy is faster than another.

`python benchmarks/cutoffs.py` halves and doubles each of them. It reports for which shipped rulesets this changes the
code, and by how much it changes playouts and compile time; docs/reference/cutoffs.md has the latest results.
"""

from __future__ import annotations

# ----------------------------------------------------------------------------------------------------- budgets
WORK = 40_000  # nodes that are evaluated for a table, or put in place in a whole program
VISITED_NODES = 10_000  # nodes that are visited for one expression or set of paths, with called functions put in place
EXPRESSION_NODES = 3_000  # nodes of an expression with functions put in place; beyond, a program is not specialized
COPIED_NODES = 600  # nodes that are written out for one loop, call or vector
TABLE_WORDS = 2_048  # words of a table of sets, which would drive others out of the cache
PLAN_TABLE_WORK = 600_000  # tables of plans, which replace whole conditions: entries times nodes that are evaluated
UNROLLED = 8  # elements, values or slots for which something is written out one by one
CASES = 64  # cases into which something is split: paths to an end of play, tuples of a move's parameters
SPECIALIZED_BLOCKS = 96  # blocks; beyond, the control variable with the most values becomes an ordinary one
FORKED_BLOCKS = 48  # ... if playouts fork on a chosen value

# --------------------------------------------------------------------------------------------- analysis/, transform/
POINTWISE_PARTS = 10  # pointwise comparison of sets: parts (all 2^n cases are tried)
SMALL_FUNCTION = 24  # inlining: nodes of a function that is always inlined
LOOKAHEAD_NAMED = 12  # look-ahead: nodes of a value that is not bound to a name
PASSED_OVER = 3  # lifted conditions: elements on a ray that are told apart by their number
FUSED_PARTS = 3  # fuse images: parts of an element, each of which must be met
CHEAPER_SETS = 2  # lift quantifiers: times that a filter must cost as much as the sets that replace it
ORDERED_PARAMS = 4  # parameter order: parameters (all orders are tried)
ORDER_COST = 0.8  # ... another order is taken if its estimated cost is below this fraction
HOP_MASKS = 24  # hop masks: masks of a decision
HOP_SHIFTS = 32  # ... shifts for conditions on what lies between; beyond, moves are enumerated along rays
UNROLLED_SHORT = 5  # unroll filters: nodes per element up to which a condition always counts as short
HOISTED_COST = 2  # split functions: least cost of an argument (loop 1, call 2)
POINTED_NODES = 60  # prepare generic: nodes of a condition on each of a few looked-up elements, together
GENERIC_TABLE_NAMES = 3  # ... names on which a table may depend

# -------------------------------------------------------------------------------------------------------- emit/
PATTERN_NODES = 12  # tables by the pattern of a set around an element: nodes of the expression; fewer are computed
SPECULATED_NODES = 12  # expressions: nodes of an operand that is evaluated without a branch
NOINLINE_DEPTH = 6  # ... depth of nested loops in a function that LLVM must not inline
GENERIC_LIST = 256  # picks: moves of a schema in a list
CANDIDATE_LIST = 256  # rejection sampling: candidates of a schema in a list; beyond, all legal moves are listed
REFUSED_DRAWS = 16  # ... refusals after which specialized playouts draw from fewer candidates
LIST_ENTRIES = 256  # move lists: entries
LIST_NODES = 30  # ... nodes inside the outermost loop; below, moves are enumerated twice
PATH_WORDS = 256  # flood path cache: words per context
FLOOD_ROUNDS = 24  # floods: rounds whose path is recorded, and steps along chains without a test for the end
SHARED_FLOOD = 3  # ... words of a set from which all floods under a relation share one function
IMAGE_SHIFTS = 12  # images: shifts; beyond, images are looked up in tables
PART_OF_WORD = 6  # image tables: elements per chunk, for sets of one word
PART_OF_WORDS = 4  # ... for larger sets
IMAGE_TABLE = 192  # ... elements of a domain; the same for line places
UNROLLED_MEMBERS = 4  # loops: members of a constant set over which a loop is unrolled
PATTERN_TABLE = 12  # line patterns: elements of a domain whose subsets are all tabulated
PATTERN_SHAPES = 12  # ... shapes; beyond, lines are tested one by one
SIMD_LEAST = 4  # SIMD over elements, and over directions of floods: fewer are handled one by one
SIMD_NUMBERS = 6  # SIMD over numbers: slots of a map; fewer are read one by one
PACKED_FIELDS = 600  # packed states: fields; states with more are not packed

# ---------------------------------------------------------------------------------------------------- playouts/
LEVELS = 12  # scalar playouts: elements of a remaining set for whose sizes code is duplicated
PLAYED_ON = 3  # ... remaining elements from which ends are noted instead of branched on
NOTED_ENDS = 32  # ... ends that are noted (bits of half a word)
SELECTED_WORDS = 8  # ... words of hop masks that are selected in registers

# ----------------------------------------------------------------------------------------------------- compile/
LARGE_MODULE = 12_000  # lines of a module in which LLVM inlines less
LARGE_MODULE_INLINING = 50  # its inlining threshold (default 225)
