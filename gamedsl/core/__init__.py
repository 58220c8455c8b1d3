"""The Core: nodes, constant folding, enumeration plans, state layout, liveness, verifier and printer."""
