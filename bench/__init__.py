"""Measures what the documentation claims: `python -m bench`. Not a test: it never fails for being slow."""
