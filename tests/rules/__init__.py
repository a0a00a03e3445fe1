"""Rules that the whole tree keeps: sizes, words, locks, what a wheel holds."""
