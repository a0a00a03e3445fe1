"""The shapes of what crosses a socket: bytes to messages and back, without I/O."""
