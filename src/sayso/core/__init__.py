"""The state machine: requests, messages and sessions, without I/O, clock or randomness."""
