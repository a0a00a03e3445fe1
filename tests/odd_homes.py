"""Names of homes that shells, JSON, TOML and printf trip over: people and disks are called such things.

Not here: what is done in them.
"""

from __future__ import annotations

NAMES = {
    "space": "Ada  Lovelace ",
    "quotes": """it's "Ada" \\n\\""",
    "other scripts": "Ünï 日本 \U0001f600 e\u0301",
    "percent": "100%h %s %%n",
    "dollar": "$HOME ${X:-y} $(touch gone) `touch gone`",
    "shell": "a;b & c | d > e < f # g ! h",
    "glob": "*?[a]{b,c}~",
    "option": "-rf --",
}
ALL_AT_ONCE = """-A'b" \\ $HOME `id` %s *;& Ünï日本"""
REFUSED = {"newline": "a\nb", "tab": "a\tb", "escape": "a\x1b[0m", "direction": "a\u202eb"}
"""Not printable: settings would change it, or a person would read another name."""
