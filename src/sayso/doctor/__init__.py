"""Proof that hooks, desk and agent fit together: checks that look, and probes that try.

`command` holds the table of checks and prints what they find. Each check is one function from what is known
(`context`) to a finding; nothing is repaired here, a finding says what to do.
"""
