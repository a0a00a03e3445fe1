"""Ways for people to see what agents ask, and to answer."""
