"""Rules for tokens that a prefix of their vendor's tells: many services, one line each.

A table; what needs more than a prefix and a run of characters has a rule in full elsewhere.
Imports `shape` alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from sayso.mask.shape import Rule

_ANY, _WORD, _PADDED = "[A-Za-z0-9]", "[A-Za-z0-9_-]", "[A-Za-z0-9+/_=-]"
_FILLING = "Example0nly"

# Each takes in all letters and digits, so that no match ends within a word.
# Name, prefixes, characters, how many of them at least, address of the documentation.
_ROWS: tuple[tuple[str, str, str, int, str], ...] = (
    ("1password-service-account", "ops_eyJ", _PADDED, 100, "developer.1password.com/docs/service-accounts"),
    ("aikido-token", "AIK_CI_ AIK_SECRET_", _ANY, 20, "help.aikido.dev"),
    ("alibaba-access-key-id", "LTAI", _ANY, 16, "www.alibabacloud.com/help/en/ram"),
    ("apify-token", "apify_api_", _ANY, 30, "docs.apify.com/platform/integrations/api"),
    ("artifactory-key", "AKCp", _ANY, 60, "jfrog.com/help/r/jfrog-platform-administration-documentation"),
    (
        "artifactory-reference-token",
        "cmVmd",
        _ANY,
        55,
        "jfrog.com/help/r/jfrog-platform-administration-documentation",
    ),
    ("bedrock-key", "ABSK", _PADDED, 100, "docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html"),
    ("bitbucket-data-center-token", "BBDC-", _PADDED, 32, "confluence.atlassian.com/bitbucketserver"),
    ("brevo-key", "xkeysib-", _WORD, 60, "developers.brevo.com/docs/getting-started"),
    (
        "buildkite-token",
        "bkua_ bkaa_ bkar_ bkct_ bkpt_ bkps_",
        _WORD,
        40,
        "buildkite.com/docs/platform/security/tokens",
    ),
    ("cerebras-key", "csk-", _ANY, 40, "inference-docs.cerebras.ai"),
    ("circleci-token", "CCIPAT_ CCIPRJ_", "[A-Za-z0-9_]", 50, "circleci.com/docs/managing-api-tokens"),
    ("clojars-token", "CLOJARS_", _ANY, 50, "github.com/clojars/clojars-web/wiki/Deploy-Tokens"),
    ("cloudflare-token", "cfut_ cfat_", _ANY, 40, "developers.cloudflare.com/fundamentals/api"),
    (
        "cloudflare-origin-key",
        "v1.0-",
        _WORD,
        160,
        "developers.cloudflare.com/ssl/origin-configuration/origin-ca",
    ),
    ("cockroachdb-key", "CCDB1_", "[A-Za-z0-9_]", 60, "www.cockroachlabs.com/docs/cockroachcloud"),
    (
        "datastax-token",
        "AstraCS:",
        "[A-Za-z0-9:]",
        20,
        "docs.datastax.com/en/astra-db-serverless/administration",
    ),
    ("deno-token", "ddp_", _ANY, 30, "docs.deno.com/deploy"),
    ("docker-swarm-token", "SWMTKN-1-", _WORD, 60, "docs.docker.com/engine/swarm/join-nodes"),
    ("docker-swarm-key", "SWMKEY-1-", _PADDED, 40, "docs.docker.com/engine/swarm/swarm_manager_locking"),
    (
        "doppler-token",
        "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
        "[A-Za-z0-9._-]",
        40,
        "docs.doppler.com/reference/auth-token-formats",
    ),
    (
        "duffel-token",
        "duffel_test_ duffel_live_",
        _PADDED,
        40,
        "duffel.com/docs/api/overview/making-requests",
    ),
    (
        "dynatrace-token",
        "dt0c01. dt0s16.",
        "[A-Za-z0-9.]",
        80,
        "docs.dynatrace.com/docs/manage/access-control/access-tokens",
    ),
    ("easypost-key", "EZAK EZTK", _ANY, 54, "docs.easypost.com/docs/authentication"),
    ("elastic-cloud-key", "essu_", _PADDED, 60, "www.elastic.co/docs/deploy-manage/api-keys"),
    ("figma-token", "figd_", _WORD, 36, "www.figma.com/developers/api"),
    ("flutterwave-key", "FLWSECK_TEST- FLWSECK-", _WORD, 12, "developer.flutterwave.com/docs/authentication"),
    ("fly-token", "fm1r_ fm2_ fo1_", _PADDED, 40, "fly.io/docs/security/tokens"),
    ("frameio-token", "fio-u-", _PADDED, 60, "developer.frame.io/docs"),
    ("gemini-key", "AQ.Ab8", _WORD, 40, "ai.google.dev/gemini-api/docs/api-key"),
    ("gitlab-other-token", "glffct- glsoat- GR1348941", _WORD, 20, "docs.gitlab.com/security/tokens"),
    (
        "grafana-legacy-key",
        "eyJrIjoi",
        _PADDED,
        40,
        "grafana.com/docs/grafana/latest/administration/service-accounts",
    ),
    ("heroku-key", "HRKU-AA", _WORD, 50, "devcenter.heroku.com/articles/platform-api-quickstart"),
    ("huggingface-organization-key", "api_org_", _ANY, 30, "huggingface.co/docs/hub/security-tokens"),
    ("infracost-token", "ico-", _ANY, 32, "www.infracost.io/docs"),
    ("ionic-token", "ion_", _ANY, 42, "ionic.io/docs/appflow/personal-access-tokens"),
    ("jwt-in-base64", "ZXlKaGJH ZXlKMGVY ZXlKcmFX", _PADDED, 40, "www.rfc-editor.org/rfc/rfc7519"),
    ("langfuse-key", "sk-lf-", _WORD, 36, "langfuse.com/docs/api"),
    ("langsmith-key", "lsv2_pt_ lsv2_sk_", "[A-Za-z0-9_]", 40, "docs.smith.langchain.com/administration"),
    ("llama-cloud-key", "llx-", _ANY, 40, "docs.cloud.llamaindex.ai"),
    ("mailersend-token", "mlsn.", _ANY, 30, "developers.mailersend.com/general.html"),
    (
        "mongodb-atlas-secret",
        "mdb_sa_sk_",
        _WORD,
        40,
        "www.mongodb.com/docs/atlas/api/service-accounts-overview",
    ),
    ("neon-key", "napi_", _ANY, 60, "neon.com/docs/manage/api-keys"),
    ("nvidia-key", "nvapi-", _WORD, 60, "docs.nvidia.com/ngc/gpu-cloud/ngc-user-guide"),
    ("octopus-key", "API-", _ANY, 26, "octopus.com/docs/octopus-rest-api/how-to-create-an-api-key"),
    (
        "onesignal-key",
        "os_v2_app_ os_v2_org_",
        _ANY,
        100,
        "documentation.onesignal.com/docs/keys-and-ids",
    ),
    ("openrouter-key", "sk-or-v1-", _ANY, 60, "openrouter.ai/docs/api-reference/authentication"),
    ("openshift-token", "sha256~", _WORD, 43, "docs.openshift.com/container-platform/latest/authentication"),
    (
        "paddle-key",
        "pdl_live_apikey_ pdl_sdbx_apikey_",
        "[A-Za-z0-9_]",
        50,
        "developer.paddle.com/api-reference/about/authentication",
    ),
    ("perplexity-key", "pplx-", _ANY, 40, "docs.perplexity.ai/getting-started"),
    ("pinecone-key", "pcsk_", "[A-Za-z0-9_]", 60, "docs.pinecone.io/guides/projects/manage-api-keys"),
    (
        "planetscale-token",
        "pscale_tkn_ pscale_oauth_ pscale_pw_",
        "[A-Za-z0-9_.=-]",
        32,
        "planetscale.com/docs/concepts/service-tokens",
    ),
    ("posthog-key", "phx_", _WORD, 40, "posthog.com/docs/api"),
    ("prefect-key", "pnu_ pnb_", _ANY, 36, "docs.prefect.io/v3/manage/cloud/manage-users/api-keys"),
    (
        "pulumi-token",
        "pul-",
        _ANY,
        40,
        "www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens",
    ),
    ("readme-key", "rdme_", _ANY, 60, "docs.readme.com/main/reference/authentication"),
    ("render-key", "rnd_", _ANY, 26, "render.com/docs/api"),
    ("rootly-key", "rootly_", _ANY, 60, "docs.rootly.com/api-reference/overview"),
    ("runpod-key", "rpa_", _ANY, 40, "docs.runpod.io/get-started/api-keys"),
    ("scalingo-token", "tk-us-", _WORD, 40, "developers.scalingo.com"),
    (
        "shippo-token",
        "shippo_live_ shippo_test_",
        _ANY,
        40,
        "docs.goshippo.com/docs/guides_general/authentication",
    ),
    (
        "sourcegraph-token",
        "sgp_",
        "[A-Za-z0-9_]",
        40,
        "sourcegraph.com/docs/cli/how-tos/creating_an_access_token",
    ),
    ("supabase-token", "sbp_ sb_secret_", _WORD, 30, "supabase.com/docs/guides/api/api-keys"),
    ("tailscale-key", "tskey-", _WORD, 20, "tailscale.com/kb/1252/key-secret-management"),
    ("together-key", "tgp_v1_", _WORD, 40, "docs.together.ai/docs/quickstart"),
    ("vercel-token", "vck_ vca_ vcr_ vci_ vcp_", _WORD, 50, "vercel.com/docs/accounts"),
    ("wakatime-key", "waka_", _WORD, 36, "wakatime.com/developers"),
    ("weights-and-biases-key", "wandb_v1_", "[A-Za-z0-9_]", 60, "docs.wandb.ai"),
    ("xai-key", "xai-", _WORD, 70, "docs.x.ai/docs"),
    ("xendit-key", "xnd_production_", _ANY, 50, "docs.xendit.co/docs/api-keys"),
)


def _rules() -> Iterator[Rule]:
    for name, words, characters, least, page in _ROWS:
        prefixes = tuple(words.split())
        either = "|".join(prefixes).replace(".", r"\.")
        yield Rule(
            name=name,
            hints=prefixes,
            pattern=rf"\b(?:{either}){characters}{{{least},}}",
            stub=min(map(len, prefixes)),
            source=f"{name.replace('-', ' ')}, the vendor's pages, https://{page}",
            example=prefixes[0] + (_FILLING * least)[:least],
        )


PREFIXED: tuple[Rule, ...] = tuple(_rules())
