"""From one state to the next: who acts, what is legal, applying a move, advancing to the next stop."""
