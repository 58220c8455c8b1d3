"""From one state to the next: who acts, what is legal, doing it, going on to the next stop."""
