"""The general rules: named values, headers, addresses, key blocks; what they hide and what they leave."""

from __future__ import annotations

import pytest

from sayso.mask import MARK, mask, mask_text

M = MARK


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        # shell and settings files
        ("PASSWORD=hunter2", f"PASSWORD={M}"),
        ("DB_PASS=letmein X=1", f"DB_PASS={M} X=1"),
        ("MYSQL_PWD=letmein mysql", f"MYSQL_PWD={M} mysql"),
        ("export API_KEY=abc123;ls", f"export API_KEY={M};ls"),
        ("SECRET_KEY_BASE=abcdefgh|cat", f"SECRET_KEY_BASE={M}|cat"),
        ("token=abcdefgh&x=1", f"token={M}&x=1"),
        ("token=abcdefgh>out", f"token={M}>out"),
        ("(PASSWORD=hunter2)", f"(PASSWORD={M})"),
        ("PASSWORD='hunter2'", f"PASSWORD='{M}'"),
        ('PASSWORD="hunter2,[x]{y"', f'PASSWORD="{M}"'),
        ("set `PASSWORD=hunter2` first", f"set `PASSWORD={M}` first"),
        ("PASSWORD=grünerTee7", f"PASSWORD={M}"),
        ("mysql --password=hunter2 -u x", f"mysql --password={M} -u x"),
        ("mysql --password hunter2 -u x", f"mysql --password {M} -u x"),
        ("tool --my-api-key 'abcdefgh1'", f"tool --my-api-key '{M}'"),
        ("//registry.example/:_authToken=abcdefgh", f"//registry.example/:_authToken={M}"),
        # JSON, also inside of a string
        ('{"password": "hunter2"}', f'{{"password": "{M}"}}'),
        (r"{\"api_key\":\"abc123\"}", rf"{{\"api_key\":\"{M}\"}}"),
        # YAML and headers
        ("password: hunter2", f"password: {M}"),
        ("X-Api-Key: abcdefghi123", f"X-Api-Key: {M}"),
        # source code
        ('password = "letmein"', f'password = "{M}"'),
        ("token: str = 'abcdefgh'", f"token: str = '{M}'"),
        ("secret := b'abcdefgh'", f"secret := b'{M}'"),
        (":password => 'letmein'", f":password => '{M}'"),
        ("os.environ['API_KEY'] = 'abc123'", f"os.environ['API_KEY'] = '{M}'"),
        ("connect(password=hunter2)", f"connect(password={M})"),
        ("connect(password=hunter-too)", f"connect(password={M})"),
        ("connect(api_key=abc123def4567x, x)", f"connect(api_key={M}, x)"),
        ("private_key: PKCS7Type81Of2,", f"private_key: {M},"),
        # connection strings
        ("Server=x;Uid=y;Pwd=hunter2;", f"Server=x;Uid=y;Pwd={M};"),
    ],
)
def test_named_values_are_hidden(text: str, masked: str) -> None:
    assert mask_text(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        # references, and anything with structure in it
        "PASSWORD=$PW",
        "PASSWORD=${PW}",
        'PASSWORD="${PW}"',
        "PASSWORD=$(cat /run/pw)",
        "PASSWORD=`cat /run/pw`",
        "PASSWORD=hunter2$(id)",
        "PASSWORD=hunter2`id`",
        "PASSWORD=${A}hunter2",
        "PASSWORD='hun ter2'",
        "PASSWORD='hunter2;reboot'",
        'PASSWORD="hunter2$(reboot)"',
        "PASSWORD='hunter2",
        'password="hunter2|reboot"',
        "password=<your password>",
        "password={password}",
        "password=%(password)s",
        "password: {{ vault_password }}",
        "token=…[masked]",
        "PASSWORD=",
        # source code
        "password = getpass()",
        "password=getpass()",
        "password = args[1]",
        "if token == 'abcdefgh':",
        "if password==expected12:",
        "password=password",
        "f(password=password, token=token)",
        "f(token=next_token, x)",
        "f(token=token1, x)",
        "f(secret=self.secret, x)",
        "token=self.token",
        "token=token.native_token if is_explicit else None",
        'Token: "#ddd0c0"',
        'CREDENTIAL = "NO-VALID-VALUE"',
        "secret = sha256sum.digest2of3",
        "token: int32",
        "private_key: PKCS7PrivateKey",
        "max_tokens=4096 token_count=12345678",
        "token = tokens[index]",
        'f"token={token_of_this}"',
        'TOKEN = "AUTH_TOKEN_NAME"',
        '"token": "next_token"',
        '"password": "string"',
        '"token": "NAME"',
        "password=***",
        # places
        "PWD=/root/project OLDPWD=/root",
        "password=/run/secrets/db",
        "token: /var/run/tokens/7/of/9",
        'secret="../secrets/7"',
        'secret="https://example.org/a1"',
        "arn:aws:secretsmanager:eu-west-1:1:secret:app-db-2-x9",
        # versions
        '"jsonwebtoken": "^9.0.2",',
        "js-token: 10.11.12-rc.13",
        # words
        "the password: changeme",
        "a token passed on",
        "--token create --secret mine",
        "tool --password --user x",
        "api_key: your-api-key-123",
        "bypass=letmein",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert mask(text).hidden == ()
    assert mask_text(text) == text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Authorization: Bearer abcDEF123", f"Authorization: Bearer {M}"),
        ("curl -H 'Authorization: Basic dXNlcjpwYXNz' x", f"curl -H 'Authorization: Basic {M}' x"),
        ('{"authorization": "token abcDEF123"}', f'{{"authorization": "token {M}"}}'),
        ('headers["Authorization"] = "Bearer abcDEF123"', f'headers["Authorization"] = "Bearer {M}"'),
        ("Proxy-Authorization: Basic dXNlcjpwYXNz", f"Proxy-Authorization: Basic {M}"),
        ("with Bearer abcdef0123456789.x", f"with Bearer {M}"),
        ("Authorization: abcdef0123456789", f"Authorization: {M}"),
    ],
)
def test_headers_are_hidden(text: str, masked: str) -> None:
    assert mask_text(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        'curl -H "Authorization: Bearer $TOKEN"',
        'curl -H "Authorization: Bearer ${TOKEN}"',
        'curl -H "Authorization: Bearer abcDEF123$TOKEN"',
        'curl -H "Authorization: Bearer $(pass show x)"',
        "Authorization: Bearer <token>",
        "Authorization: Bearer ........",
        "Authorization: Basic authentication",
        "Authorization: Bearer",
        "The bearer of this letter",
        "the bearer authentication middleware",
    ],
)
def test_headers_without_a_secret_stay(text: str) -> None:
    assert mask_text(text) == text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("postgres://app:hunter2@db/x", f"postgres://app:{M}@db/x"),
        ("redis://:hunter2@cache:6379", f"redis://:{M}@cache:6379"),
        ("https://u:p%40ss:w@rd@host/a@b", f"https://u:{M}@host/a@b"),
        ("git clone https://$USER:hunter2@host/x", f"git clone https://$USER:{M}@host/x"),
        ("https://x-access-token:abcdefgh12345@host/x", f"https://x-access-token:{M}@host/x"),
        ("https://u:pässwort@host", f"https://u:{M}@host"),
    ],
)
def test_passwords_in_addresses_are_hidden(text: str, masked: str) -> None:
    assert mask_text(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "https://u:$PW@host/x",
        "https://u:${PW}@host/x",
        "https://u:$(pw)@host/x",
        "https://{user}:{password}@{host}",
        "https://%s:%s@%s/",
        "https://***:***@host",
        "https://host:8080/a@b",
        "https://host:8080?to=a@b",
        "https://host:8080#a@b",
        "git@host:group/project",
        "https://user@host:8080/x",
        "https://u:ab…[masked]@host",
    ],
)
def test_addresses_without_a_password_stay(text: str) -> None:
    assert mask_text(text) == text


LINE = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCExampleExampl"


def block(body: str, kind: str = "PRIVATE KEY") -> str:
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----\n"


@pytest.mark.parametrize(
    "kind", ["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY"]
)
def test_a_key_block_is_hidden_line_by_line(kind: str) -> None:
    masked = mask("cat <<EOF\n" + block(f"{LINE}\n{LINE}\nshort", kind) + "EOF")
    assert masked.text == "cat <<EOF\n" + block(f"{M}\n{M}\n{M}", kind) + "EOF"
    assert masked.hidden == (64, 64, 5)


def test_a_key_block_in_json_in_yaml_and_cut_off() -> None:
    escaped = block(f"{LINE}\n{LINE}").replace("\n", r"\n")
    assert (
        mask_text(f'{{"private_key": "{escaped}"}}')
        == '{"private_key": "' + block(f"{M}\n{M}").replace("\n", r"\n") + '"}'
    )
    assert mask_text(f"key: |\n  {block(LINE)}") == f"key: |\n  {block(M)}"
    indented = block(f"  {LINE}\n  {LINE}")
    assert mask_text(indented) == block(f"  {M}\n  {M}")
    assert mask_text(f"-----BEGIN PRIVATE KEY-----\r\n{LINE}\r\n{LINE[:20]}") == (
        f"-----BEGIN PRIVATE KEY-----\r\n{M}\r\n{M}"
    )


def test_a_key_block_with_headers() -> None:
    headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n\n"
    assert mask_text(block(headers + LINE, "RSA PRIVATE KEY")) == block(headers + M, "RSA PRIVATE KEY")
    armor = "Version: Example\n\n"
    assert mask_text(block(f"{armor}{LINE}\n=abcd", "PGP PRIVATE KEY BLOCK")) == block(
        f"{armor}{M}\n{M}", "PGP PRIVATE KEY BLOCK"
    )


@pytest.mark.parametrize(
    "text",
    [
        block("rm -rf /"),
        block("$(curl example.org)"),
        block(f"{LINE}\n$(curl example.org)"),
        block(f"{LINE}\nrm -rf /"),
        block("reboot"),
        block(LINE, "PUBLIC KEY"),
        block(LINE, "CERTIFICATE"),
        "-----BEGIN PRIVATE KEY-----",
    ],
)
def test_what_is_no_key_stays(text: str) -> None:
    assert mask_text(text) == text


def test_a_short_line_among_long_ones_is_shown() -> None:
    assert mask_text(block(f"{LINE}\nreboot\n{LINE}")) == block(f"{M}\nreboot\n{M}")
    assert mask_text(block(f"{LINE[:20]}\nreboot")) == block(f"{M}\nreboot")
    assert mask_text(block(f"{LINE[:20]}\nYWJj=")) == block(f"{M}\n{M}")
