"""From one state to the next: who acts, what is legal and why not, doing it, going on to the next stop."""
