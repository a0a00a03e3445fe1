"""Answering from a chat of Telegram: a bot of the person's own, run inside the desk."""
