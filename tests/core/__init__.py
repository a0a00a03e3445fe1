"""The core, driven with explicit times: no clock, no sleep."""
