"""The strategy of an agent over a whole tree, from which its loss against best responses can be computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gamedsl.agents.agent import Agent
from gamedsl.agents.saved import Saved
from gamedsl.agents.uniform import Uniform
from gamedsl.lab.equilibrium import Profile, SequenceForm, profile_of

if TYPE_CHECKING:
    from gamedsl.compiler import Reals


def agent_profile(form: SequenceForm, agent: Agent, samples: int = 100, seed: int = 1) -> Profile:
    """Returns the profile in which an agent plays all seats.

    An agent that searches is asked ``samples`` times in every information set; the share of an action counts as its
    probability. Raises ``GameDSLError`` if the agent cannot play the game.
    """
    agent.check(form.tree.game)
    match agent:
        case Uniform():
            return Profile.uniform(form)
        case Saved():
            return profile_of(form, agent.strategy)
        case _:
            return Profile(form, _sampled(form, agent, samples, seed))


def _sampled(form: SequenceForm, agent: Agent, samples: int, seed: int) -> Reals:
    tree, strategy = form.tree, np.ones(form.sequences)
    agent.prepare(tree.game)
    for i, number in enumerate(form.order.tolist()):
        actions = tree.actions(number)
        if len(actions) == 1:
            continue
        state, seat = tree.position(int(tree.sets.node[number])), int(tree.sets.seat[number])
        counts = np.zeros(len(actions))
        for k in range(samples):
            move = agent.choose(state, (seed * len(form.order) + i) * samples + k, seat)
            counts[actions.index(tree.game.action(move))] += 1
        first = int(form.forms.first[i])
        strategy[first : first + len(actions)] = counts / samples
    return strategy
