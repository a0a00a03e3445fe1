"""`python -m sayso`: the same as the command `sayso`. May import `sayso.main` only."""

from sayso.main import main

if __name__ == "__main__":
    raise SystemExit(main())
