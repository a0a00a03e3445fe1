"""Text in, text without secrets out."""
