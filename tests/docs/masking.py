"""The page of masking, from the tables of rules."""

from __future__ import annotations

from sayso.mask import MARK, mask
from sayso.mask.clouds import CLOUDS
from sayso.mask.code_hosts import CODE_HOSTS
from sayso.mask.general import GENERAL
from sayso.mask.services import SERVICES
from sayso.mask.shape import Rule
from tests.docs.markdown import code, joined, table

TABLES: dict[str, tuple[Rule, ...]] = {
    "Where code lives": CODE_HOSTS,
    "Clouds": CLOUDS,
    "Services": SERVICES,
    "Of no particular vendor": GENERAL,
}


def page() -> str:
    """Return the page."""
    return joined(
        "# Masking",
        f"""Every string that an agent wrote is masked before the desk keeps, shows or sends it. What is
        hidden is written `{MARK}`, behind the first characters of the secret where those tell its kind;
        a card says how many parts are hidden and how long they are. The agent itself gets its own words
        back unmasked: they never left its hook.""",
        """Only characters of tokens are ever hidden. White space, quotes, `$`, a backtick, `;`, `|`, `&`,
        `<`, `>` and parentheses stay, so that the structure of a command can always be seen. This is
        for shoulders and screenshots; a secret in a form that no rule knows is shown as it is.""",
        *(section(title, rules) for title, rules in TABLES.items()),
    )


def section(title: str, rules: tuple[Rule, ...]) -> str:
    """Return the rules of one table, in their order; all examples are made up."""
    rows = [(code(rule.name), code(shown(rule)), rule.source) for rule in rules]
    return joined(f"## {title}", table(("rule", "an example, masked", "source"), rows))


def shown(rule: Rule) -> str:
    """Return a rule's example as a card shows it, on one line."""
    return mask(rule.example).text.replace("\n", " ⏎ ")
