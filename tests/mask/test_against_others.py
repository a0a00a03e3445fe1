"""Whatever other programs that look for secrets find in a corpus of made-up ones, is masked here.

Where it is not, the reason stands in a table. The corpus is every rule's example, as it is and with its
filling drawn anew (the others pass over words like "example"); tokens of the exact lengths that the others
ask for; and what is told by its name alone: in all surroundings where secrets are met.
"""

from __future__ import annotations

import random
import re
import string
from functools import cache

import pytest

from sayso.mask import mask
from sayso.mask.rules import RULES
from tests.mask.others import HAS_BETTERLEAKS, Finding, ask

AROUND = {
    "alone": "{}",
    "shell": "export CLIENT={} && deploy --now",
    "shell, quoted": "curl -s -H 'X-Client: {}' https://api.example/v1",
    "JSON": '{{"name": "shop", "value": "{}", "size": 3}}',
    "JSON in a command": 'printf "{{\\"value\\": \\"{}\\"}}\\n"',
    "YAML": "shop:\n  value: {}\n  size: 3\n",
    ".env": "SHOP=1\nVALUE={}\nSIZE=3\n",
    ".env, named": "SHOP_TOKEN={}\n",
    "URL": "https://api.example/v1?size=3&value={}&page=2",
    "header": "GET / HTTP/1.1\nX-Client: {}\nAccept: */*\n",
    "code": 'client = Client("{}", size=3)\n',
    "code, named": "const apiKey = '{}';\n",
    "prose": "the client is {}, keep it\n",
}
NAMED = (
    'password = "{}"\n',
    "DB_PASSWORD={}\n",
    "db:\n  password: {}\n",
    '{{"client_secret": "{}"}}\n',
    "postgres://shop:{}@db.example:5432/shop",
    "curl -H 'Authorization: Bearer {}' https://api.example",
    "mysql --password {} shop",
    "api_key: '{}'\n",
    "private_key = '{}'\n",
)
WORD = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
EXACT = (
    ("sk-ant-api03-", WORD, 93, "AA"),
    ("sk-ant-admin01-", WORD, 93, "AA"),
    ("pat" + "aB3dE5gH7jK9mN.", HEX, 64, ""),
    ("AKIA", BASE32, 16, ""),
    ("A3TX", BASE32, 16, ""),
    ("AKCp", WORD, 69, ""),
    ("cmVmd", WORD, 59, ""),
    ("ATATT3", WORD, 180, ""),
    ("CCIPAT_aB3dE5gH7jK9mN1pQ3sT5v_", HEX, 40, ""),
    ("CLOJARS_", string.ascii_lowercase, 60, ""),
    ("v1.0-0123456789abcdef01234567-", HEX, 146, ""),
    ("cfut_", WORD, 40, "0a1b2c3d"),
    ("dckr_pat_", WORD, 27, ""),
    ("dp.pt.", WORD, 43, ""),
    ("duffel_test_", WORD, 43, ""),
    ("dt0c01.AB3DE5GH7JK9MN1PQ3ST5VX7.", BASE32, 64, ""),
    ("EZAK", WORD, 54, ""),
    ("figd_", WORD, 40, ""),
    ("FLWSECK_TEST-", "abcdefgh0123456789", 32, "-X"),
    ("fio-u-", WORD, 64, ""),
    ("AQ.Ab8RN6", WORD, 44, ""),
    ("AIza", WORD, 35, ""),
    ("ghp_", WORD, 36, ""),
    ("github_pat_", WORD, 82, ""),
    ("glpat-", WORD, 20, ""),
    ("glsoat-", WORD, 20, ""),
    ("GR1348941", WORD, 20, ""),
    ("_gitlab_session=", HEX, 32, ""),
    ("pat.aB3dE5gH7jK9mN1pQ3sT5v.0a1b2c3d4e5f60718293a4b5.", WORD, 20, ""),
    ("HRKU-AA", WORD, 58, ""),
    ("api_org_", string.ascii_letters, 34, ""),
    ("ico-", WORD, 32, ""),
    ("lsv2_pt_", HEX, 32, "_0a1b2c3d4e"),
    ("sk-lf-0a1b2c3d-4e5f-6071-8293-", HEX, 12, ""),
    ("lin_api_", WORD, 40, ""),
    ("llx-", WORD, 48, ""),
    ("mdb_sa_sk_", WORD, 40, ""),
    ("napi_", WORD, 64, ""),
    ("nvapi-", WORD, 64, ""),
    ("API-", BASE32, 26, ""),
    ("sk-or-v1-", HEX, 64, ""),
    ("sha256~", WORD, 43, ""),
    ("pplx-", WORD, 48, ""),
    ("pcsk_aB3dE_", WORD, 63, ""),
    ("pscale_tkn_", WORD, 43, ""),
    ("phx_", WORD, 43, ""),
    ("PMAK-0a1b2c3d4e5f60718293a4b5-", HEX, 34, ""),
    ("pnu_", WORD, 36, ""),
    ("pul-", HEX, 40, ""),
    ("rdme_", string.ascii_lowercase, 70, ""),
    ("rnd_", WORD, 28, ""),
    ("re_aB3dE5gH_", "123456789abcdefghijkmnpqrstuvwxyz", 24, ""),
    ("00Dx0aB3dE5gH7j!", WORD, 96, ""),
    ("xkeysib-" + HEX * 4 + "-", WORD, 16, ""),
    ("shippo_live_", HEX, 40, ""),
    ("shpat_", HEX, 32, ""),
    ("xoxb-1234567890123-1234567890123-", WORD, 24, ""),
    ("xoxc-123456789012-123456789012-123456789012-", HEX, 64, ""),
    ("https://hooks.slack.com/services/T0A1B2C3D/B0A1B2C3D/", WORD, 24, ""),
    ("sgp_", HEX, 40, ""),
    ("sk_live_", WORD, 24, ""),
    ("sbp_", HEX, 40, ""),
    ("tskey-api-", WORD, 30, ""),
    ("tgp_v1_", WORD, 43, ""),
    ("SK", HEX, 32, ""),
    ("hvs.", WORD, 96, ""),
    ("vcp_", WORD, 56, ""),
    ("wandb_v1_", WORD, 77, ""),
    ("xai-", WORD, 80, ""),
    ("", HEX, 32, "-us12"),
    ("aB3dE5_", WORD, 29, "_mmk"),
    ("ops_eyJ", WORD, 260, ""),
    ("SWMTKN-1-" + "0a1b2c3d4e" * 5 + "-", string.ascii_lowercase, 25, ""),
    ("eyJrIjoi", WORD, 72, ""),
    ("mlsn.", WORD, 64, ""),
    ("hf_", string.ascii_letters, 34, ""),
    ("gsk_", WORD, 52, ""),
    ("r8_", WORD, 37, ""),
    ("npm_", WORD, 36, ""),
    ("pypi-AgEIcHlwaS5vcmc", WORD, 120, ""),
)
"""What stands before, of which characters, how many, and what stands after."""
PARTS = {
    "detect-secrets: GitHub Token": "it reports the prefix, which is the stub that stays",
    "detect-secrets: GitLab Token": "it reports the prefix, which is the stub that stays",
    "detect-secrets: Private Key": "it reports the first line, which says what is hidden below it",
}
"""Findings that are a part of the secret which stays; something beside it must be hidden."""
NO_SECRETS: dict[str, str] = {}
"""Findings that are none, or are better seen."""

_FILLING = re.compile("(?:0123456789abcdef)+[0-9a-f]*|[Ee]xamp[l1]e|EXAMPLE|[0Oo]nly|0NLY|3xample")
_CLASSES = (string.digits, string.ascii_lowercase, string.ascii_uppercase)


def redrawn(example: str, chance: random.Random) -> str:
    """Return an example with its filling drawn anew, each character of its own class."""

    def draw(found: re.Match[str]) -> str:
        if found[0].startswith("0123"):
            return "".join(chance.choice("0123456789abcdef") for _ in found[0])
        return "".join(chance.choice(next(each for each in _CLASSES if c in each)) for c in found[0])

    return _FILLING.sub(draw, example)


def corpus() -> list[str]:
    chance = random.Random(4)
    examples = [rule.example for rule in RULES]
    examples += [redrawn(example, chance) for example in examples for _ in range(2)]
    texts = [around.format(example) for example in examples for around in AROUND.values()]
    for before, letters, many, after in EXACT:
        secret = before + "".join(chance.choices(letters, k=many)) + after
        texts += [around.format(secret) for around in AROUND.values()]
    for _ in range(20):
        texts += [around.format("".join(chance.choices(WORD, k=24)) + "7a") for around in NAMED]
    return texts


TEXTS = corpus()


@cache
def findings() -> list[Finding]:
    return ask(TEXTS)


def is_missed(found: Finding) -> bool:
    masked = mask(TEXTS[found.text])
    if found.by in PARTS:
        return not masked.hidden
    return found.secret in masked.text and found.by not in NO_SECRETS


def test_what_others_find_is_masked() -> None:
    missed = {(found.by, found.secret): TEXTS[found.text] for found in findings() if is_missed(found)}
    assert missed == {}


def test_each_reason_is_needed() -> None:
    shown = {found.by for found in findings() if found.secret in mask(TEXTS[found.text]).text}
    assert sorted(shown) == sorted(PARTS | NO_SECRETS if HAS_BETTERLEAKS else shown & {*PARTS, *NO_SECRETS})


@pytest.mark.parametrize("program", ["detect-secrets", *(["betterleaks"] if HAS_BETTERLEAKS else [])])
def test_the_others_find_much_of_it(program: str) -> None:
    rules = {found.by for found in findings() if found.by.startswith(program)}
    assert len(rules) >= (15 if program == "detect-secrets" else 60)
