"""The only way in to a running desk."""
