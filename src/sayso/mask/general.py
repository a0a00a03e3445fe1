"""Rules for secrets of no particular vendor: key blocks, headers, addresses, named values.

What they hide is decided by `values`, more carefully than for a vendor's token, whose form
is proof enough. Stands last in the order of rules, so that a vendor's stub wins. Imports
`shape` and `values` alone.
"""

from __future__ import annotations

from sayso.mask.shape import Rule
from sayso.mask.values import (
    credentials,
    is_credential,
    is_long_credential,
    is_url_password,
    key_block,
    pairs,
)

_NAME = (
    r"(pass(?:word|wd|phrase|code)[0-9]?|(?:\b|_)pass|[_;-]pwd"
    "|secret(?:[_-]?access)?[_-]?key(?:[_-]?base)?|secret|token|credentials?|authorization"
    "|(?:api|app|application|access|account|auth|encryption|license|master|private|service|shared|signing)"
    "[_-]?key)"
)
_NAME_HINTS = ("pass", "pwd", "secret", "token", "credential", "authorization", "key")
# The end of a quoted or subscripted name.
_NAME_END = r"""\\{0,3}["']?\]?"""
_TYPE = r":[ \t]{0,2}(?:&?str|string|bytes|text|any)[ \t]{0,2}="
_BETWEEN = rf"([ \t]{{0,8}}(?:=>|:=|{_TYPE}|[=:])[ \t]{{0,8}})"
_QUOTE = r"""(?:[bfru]{0,2}(\\{0,3}["']))?"""

GENERAL: tuple[Rule, ...] = (
    Rule(
        name="private-key",
        hints=("-----BEGIN ",),
        # Headers as of RFC 1421 may stand before the body. A body that is cut off is one, too.
        pattern=(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[ \t]*(?:\r?\n[ \t]*)+"
            r"(?:[A-Za-z][A-Za-z-]{0,40}: [^\r\n]{0,120}(?:\r?\n[ \t]*)+){0,6}"
            r"([A-Za-z0-9+/=]+[ \t]*(?:(?:\r?\n[ \t]*)+[A-Za-z0-9+/=]+[ \t]*)*(?:\r?\n[ \t]*)*)"
        ),
        stub=0,
        source="RFC 7468, RFC 1421 (PEM), RFC 9580 (OpenPGP armor), https://www.rfc-editor.org/rfc/rfc7468",
        example=(
            "-----BEGIN PRIVATE KEY-----\n"
            "MC4CAQAwBQYDK2VwBCIEIExampleExampleExampleExampleExampleExampleEx\n"
            "-----END PRIVATE KEY-----"
        ),
        reader=key_block,
    ),
    Rule(
        name="url-password",
        hints=("://",),
        pattern=(
            r"""://[^ \t\r\n\f\v/@:"'<>`|;&()\\?#]{0,200}:"""
            r"""([^ \t\r\n\f\v/"'<>`|;&()\\?#${}]{2,})@"""
        ),
        stub=0,
        source="RFC 3986, section 3.2.1, https://www.rfc-editor.org/rfc/rfc3986",
        example="postgres://app:example-only@db.example/app",
        check=is_url_password,
    ),
    Rule(
        name="authorization-header",
        hints=("authorization",),
        pattern=(
            rf"authorization{_NAME_END}[ \t]{{0,8}}[=:,][ \t]{{0,8}}[bfru]?(?:\\{{0,3}}[\"'])?"
            r"(?:bearer|basic|bot|token|apikey)[ \t]{1,4}"
        ),
        stub=0,
        source="RFC 9110, section 11.6.2, and RFC 6750, https://www.rfc-editor.org/rfc/rfc6750",
        example="Authorization: Basic ZXhhbXBsZTpvbmx5",
        fold=True,
        reader=credentials(is_credential),
    ),
    Rule(
        name="bearer",
        hints=("bearer ",),
        pattern=r"bearer[ \t]{1,4}",
        stub=0,
        source="RFC 6750, section 2.1, https://www.rfc-editor.org/rfc/rfc6750",
        example="Bearer 3xample-0nly-n0t-a-t0ken",
        fold=True,
        reader=credentials(is_long_credential),
    ),
    Rule(
        name="named-value",
        hints=_NAME_HINTS,
        pattern=_NAME + _NAME_END + _BETWEEN + _QUOTE,
        stub=0,
        source="the habit of all: a name that says that its value is secret",
        example="DATABASE_PASSWORD=example-only",
        fold=True,
        reader=pairs,
    ),
    Rule(
        name="option-value",
        hints=_NAME_HINTS,
        pattern=rf"--?(?:[a-z0-9]{{1,16}}[_-]){{0,3}}{_NAME}([ \t]{{1,4}}){_QUOTE}",
        stub=0,
        source="the habit of command lines: --password VALUE",
        example="mysql --password ex4mple-0nly",
        fold=True,
        reader=pairs,
    ),
)
