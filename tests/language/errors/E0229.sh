gamedsl verify phases.gdl --claim "in phase taking: always stock > 0"  # ! E0229
