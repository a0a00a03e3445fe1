"""The process that runs the desk and serves it."""
