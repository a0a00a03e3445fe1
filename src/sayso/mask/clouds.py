"""Rules for clouds and what runs in them: providers, vaults, data platforms, monitoring.

A table; see `shape` for how to write an entry. Imports `shape` alone.
"""

from __future__ import annotations

from sayso.mask.shape import Rule

# From the end of a lowered name to its value.
_IS = r"""\\{0,3}["']?[ \t]{0,8}[=:][ \t]{0,8}(?:\\{0,3}["'])?"""

CLOUDS: tuple[Rule, ...] = (
    Rule(
        name="aws-access-key-id",
        hints=("AKIA", "ASIA", "ABIA", "ACCA", "A3T"),
        pattern=r"\b(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b",
        stub=4,
        source="AWS, IAM identifiers, unique id prefixes, https://docs.aws.amazon.com/IAM/latest/UserGuide/",
        example="AKIAIOSFODNN7EXAMPLE",
    ),
    Rule(
        name="aws-secret-access-key",
        hints=("secret",),
        pattern=rf"secret_?(?:access)?_?key{_IS}([a-z0-9/+]{{40}})\b",
        stub=0,
        source="AWS, managing access keys, https://docs.aws.amazon.com/IAM/latest/UserGuide/",
        example="aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        fold=True,
    ),
    Rule(
        name="google-api-key",
        hints=("AIza",),
        pattern=r"\bAIza[A-Za-z0-9_-]{35,}",
        stub=4,
        source="Google Cloud, API keys, https://cloud.google.com/docs/authentication/api-keys",
        example="AIzaExample0nly-Example0nly_Example0nly",
    ),
    Rule(
        name="google-oauth-client-secret",
        hints=("GOCSPX-",),
        pattern=r"GOCSPX-[A-Za-z0-9_-]{28,}",
        stub=7,
        source="Google Cloud, OAuth clients, https://support.google.com/cloud/answer/6158849",
        example="GOCSPX-Example0nly-Example0nly_Exam",
    ),
    Rule(
        name="google-oauth-access-token",
        hints=("ya29.",),
        pattern=r"\bya29\.[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_-]+)*",
        stub=5,
        source="Google Identity, OAuth 2.0, https://developers.google.com/identity/protocols/oauth2",
        example="ya29.a0Example0nly-Example0nly_Example0nly",
    ),
    Rule(
        name="azure-storage-key",
        hints=("accountkey=",),
        pattern=r"accountkey=([a-z0-9+/]{86}==)",
        stub=0,
        source="Azure Storage, connection strings, https://learn.microsoft.com/azure/storage/common/",
        example=(
            "AccountName=example;AccountKey="
            "Example0nlyExample0nlyExample0nlyExample0nlyExample0nlyExample0nlyExample0nlyExample0n=="
        ),
        fold=True,
    ),
    Rule(
        name="azure-shared-access-key",
        hints=("sharedaccesskey=",),
        pattern=r"sharedaccesskey=([a-z0-9+/]{43}=)",
        stub=0,
        source="Azure Service Bus, shared access, https://learn.microsoft.com/azure/service-bus-messaging/",
        example="SharedAccessKey=Example0nlyExample0nlyExample0nlyExample0nl=",
        fold=True,
    ),
    Rule(
        name="azure-shared-access-signature",
        hints=("sig=",),
        pattern=r"\bsig=([A-Za-z0-9%+/]{43,}={0,2})",
        stub=0,
        source="Azure Storage, shared access signatures, https://learn.microsoft.com/azure/storage/common/",
        example="?sv=2024-11-04&sig=Example0nlyExample0nlyExample0nlyExample0nl%3D",
    ),
    Rule(
        name="azure-client-secret",
        hints=("Q~",),
        pattern=r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,}",
        stub=3,  # as much as the portal itself shows of it
        source="Microsoft Entra, application credentials, https://learn.microsoft.com/entra/identity-platform/",
        example="abc8Q~Example0nlyExample0nlyExample0nly",
    ),
    Rule(
        name="digitalocean-token",
        hints=("dop_v1_", "doo_v1_", "dor_v1_"),
        pattern=r"do[opr]_v1_[a-f0-9]{64}\b",
        stub=7,
        source="DigitalOcean, API authentication, https://docs.digitalocean.com/reference/api/",
        example="dop_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    ),
    Rule(
        name="vault-token",
        hints=("hvs.", "hvb.", "hvr."),
        pattern=r"\bhv[sbr]\.[A-Za-z0-9_-]{24,}",
        stub=4,
        source="HashiCorp, Vault tokens, token prefixes, https://developer.hashicorp.com/vault/docs/concepts",
        example="hvs.CAESIExample0nlyExample0nlyExample0nly",
    ),
    Rule(
        name="terraform-token",
        hints=(".atlasv1.",),
        pattern=r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}",
        stub=0,
        source="HashiCorp, HCP Terraform API tokens, https://developer.hashicorp.com/terraform/cloud-docs",
        example="Example0nlyExa.atlasv1.Example0nlyExample0nlyExample0nlyExample0nlyExample0nlyExample0nly0",
    ),
    Rule(
        name="airtable-token",
        hints=("pat",),
        pattern=r"\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b",
        stub=3,
        source="Airtable, personal access tokens, https://airtable.com/developers/web/guides",
        example="patExample0nlyExa.0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    ),
    Rule(
        name="harness-token",
        hints=("pat.", "sat."),
        pattern=r"\b[ps]at\.[A-Za-z0-9_-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20,}",
        stub=4,
        source="Harness, manage API keys, https://developer.harness.io/docs/platform/automation/api",
        example="pat.Example0nlyExample0nly.0123456789abcdef01234567.Example0nlyExample0n",
    ),
    Rule(
        name="1password-secret-key",
        hints=("A3-",),
        pattern=r"\bA3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){4,5}\b",
        stub=3,
        source="1Password, about the Secret Key, https://support.1password.com/secret-key-security/",
        example="A3-EXAMPL-E0NLYEXAMPL-E0NLY-EXAMP-LE0NL",
    ),
    Rule(
        name="maxmind-key",
        hints=("_mmk",),
        pattern=r"\b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b",
        stub=0,
        source="MaxMind, license keys, https://support.maxmind.com/hc/en-us/articles/4407111582235",
        example="Exampl_Example0nlyExample0nlyExample_mmk",
    ),
    Rule(
        name="age-secret-key",
        hints=("AGE-SECRET-KEY-1",),
        pattern=r"AGE-SECRET-KEY-1[A-Z0-9]{58}\b",
        stub=16,
        source="age, the file format, native X25519 identities, https://age-encryption.org/v1",
        example="AGE-SECRET-KEY-1QQPQYZG2P5XYSVQQPQYZG2P5XYSVQQPQYZG2P5XYSVQQPQYZG2P5XYSVQQ",
    ),
    Rule(
        name="databricks-token",
        hints=("dapi",),
        pattern=r"\bdapi[a-f0-9]{32}(?:-[0-9])?\b",
        stub=4,
        source="Databricks, personal access tokens, https://docs.databricks.com/dev-tools/auth/pat",
        example="dapi0123456789abcdef0123456789abcdef",
    ),
    Rule(
        name="datadog-key",
        hints=("dd_", "dd-", "datadog"),
        pattern=rf"(?:dd|datadog)[_-]?(?:api|app|application)[_-]?key{_IS}([0-9a-f]{{32}}(?:[0-9a-f]{{8}})?)\b",
        stub=0,
        source="Datadog, API and application keys, https://docs.datadoghq.com/account_management/api-app-keys/",
        example="DD_API_KEY=0123456789abcdef0123456789abcdef",
        fold=True,
    ),
    Rule(
        name="newrelic-key",
        hints=("NRAK-", "NRII-", "NRAA-"),
        pattern=r"NR(?:AK|II|AA)-[A-Za-z0-9_-]{27,}",
        stub=5,
        source="New Relic, API keys, https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/",
        example="NRAK-EXAMPLE0NLYEXAMPLE0NLYEXAMP",
    ),
    Rule(
        name="newrelic-license-key",
        hints=("NRAL",),
        pattern=r"\b[0-9a-f]{36}NRAL\b",
        stub=0,
        source="New Relic, license key, https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/",
        example="0123456789abcdef0123456789abcdef0123NRAL",
    ),
    Rule(
        name="grafana-service-account-token",
        hints=("glsa_",),
        pattern=r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}\b",
        stub=5,
        source="Grafana, service accounts, https://grafana.com/docs/grafana/latest/administration/",
        example="glsa_Example0nlyExample0nlyExample0nl_0123abcd",
    ),
    Rule(
        name="grafana-cloud-token",
        hints=("glc_",),
        pattern=r"\bglc_[A-Za-z0-9+/]{32,}={0,2}",
        stub=4,
        source="Grafana Cloud, access policies, https://grafana.com/docs/grafana-cloud/",
        example="glc_Example0nlyExample0nlyExample0nlyExample0nly=",
    ),
)
