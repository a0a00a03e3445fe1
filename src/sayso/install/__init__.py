"""Edits of agents' settings files, and their removal."""
