"""The interactive screen, without a terminal: keys and changes in, a frame and actions out."""
