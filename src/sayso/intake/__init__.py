"""Ways in for what agents ask."""
