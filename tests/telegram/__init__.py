"""A Bot API server for tests, as Telegram documents it, and the people at its other end."""
