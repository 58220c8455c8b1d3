"""The Core room: nodes, folding, plans, layout, liveness, the verifier and the printer."""
