"""The reference pages of the documentation, made from the code, and what holds for all pages.

`python -m tests.docs` writes them; with `--check` it fails when one differs from the code. One
module a page; `pages` lists them. May import all of sayso and `tests.requirements`.
"""
