"""Verdicts on the claims of a graph, without the order and the time limits of ``verify``."""

from __future__ import annotations

from gamedsl.lab.base import Verdict
from gamedsl.lab.claims.claims_in_order import Judging
from gamedsl.lab.claims.graph_verdicts import on_graph, with_plays
from gamedsl.lab.claims.state_space import StateSpace
from gamedsl.lab.explore import Graph
from gamedsl.language.core import nodes as n


def judge(graph: Graph, claims: list[n.CoreClaim]) -> list[Verdict]:
    """Returns the verdicts on these claims, then on the default ones, from the graph and from games beyond it."""
    judging = Judging(StateSpace(graph), claims)
    judging.by_graph()
    return judging.finish()


def check_claim(space: StateSpace, claim: n.CoreClaim) -> Verdict:
    """Returns the verdict from the graph, and from games beyond it if the graph does not decide."""
    return with_plays(space, claim, on_graph(space, claim))
