"""Tests of the hook, as the process that agents start."""
