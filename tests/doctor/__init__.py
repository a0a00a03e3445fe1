"""The doctor, with settings and hooks of files alone; probes start real processes."""
