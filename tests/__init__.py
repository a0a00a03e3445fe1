"""Tests of sayso, in folders that mirror `src/sayso`; what they share is imported as `tests.…`."""
