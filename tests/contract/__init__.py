"""What must hold over every channel, for every kind of request."""
