"""Drives the real agents against a scripted model server, for tests.

No account and no network: an agent gets a fresh home folder, an environment of its
own, a terminal of its own and a model that says what a scenario file tells it to.
Run under scripts/hermetic. Not a test itself, and no part of the product: imports
the standard library and itself only.
"""
