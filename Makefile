# Every target is a script of the same name in scripts/; arguments go to the script: scripts/test tests/core
.PHONY: help setup demo test check bench web screenshots lock

help:
	@echo "make setup   a virtual environment in .venv with everything that development needs"
	@echo "make demo    see sayso work, without an agent and without an account"
	@echo "make test    every check and every test, the end-to-end ones with real agents included"
	@echo "make check   format, lint, types, floors, docs, changelog: what needs no test run"
	@echo "make bench   measure what the documentation claims"
	@echo "make web     build the page"
	@echo "make screenshots   take the pictures of the page in docs/screenshots anew"
	@echo "make lock    write the lock files anew from pyproject.toml"

setup demo test check bench web screenshots lock:
	@scripts/$@
