"""What programs import from `sayso`, for type checkers: the file beside this one must import nothing."""

from sayso import ask as ask

# A second list of the public names would differ from the first one day.
from sayso.store import *  # noqa: F403

__version__: str
