"""Line coverage of a ruleset."""
