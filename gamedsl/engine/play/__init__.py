"""From one state to the next: who acts, which moves are legal, applying a move, advancing to the next stop."""
