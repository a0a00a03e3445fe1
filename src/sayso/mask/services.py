"""Rules for services that programs call: models, payment, messages, mail, shops; and JWT.

A table; see `shape` for how to write an entry. Imports `shape` alone.
"""

from __future__ import annotations

from sayso.mask.shape import Rule


def _is_jwt(value: str) -> bool:
    """Header, payload and signature: what starts like one and has less is no token."""
    return value.count(".") >= 2


SERVICES: tuple[Rule, ...] = (
    Rule(
        name="anthropic-key",
        hints=("sk-ant-",),
        pattern=r"\bsk-ant-[A-Za-z0-9_-]{20,}",
        stub=7,
        source="Anthropic, API overview, authentication, https://docs.anthropic.com/en/api/",
        example="sk-ant-api03-Example0nly-Example0nly_Example0nly",
    ),
    Rule(
        name="openai-key",
        hints=("sk-",),
        pattern=r"\bsk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})",
        stub=3,
        source="OpenAI, API reference, authentication, https://platform.openai.com/docs/api-reference",
        example="sk-proj-Example0nly-Example0nly_Example0nly",
    ),
    Rule(
        name="huggingface-token",
        hints=("hf_",),
        pattern=r"\bhf_[A-Za-z0-9]{30,}",
        stub=3,
        source="Hugging Face, user access tokens, https://huggingface.co/docs/hub/security-tokens",
        example="hf_ExampleOnlyExampleOnlyExampleOnlyE",
    ),
    Rule(
        name="groq-key",
        hints=("gsk_",),
        pattern=r"\bgsk_[A-Za-z0-9]{40,}",
        stub=4,
        source="Groq, API keys, https://console.groq.com/docs/quickstart",
        example="gsk_Example0nlyExample0nlyExample0nlyExample0nlyExample0",
    ),
    Rule(
        name="replicate-token",
        hints=("r8_",),
        pattern=r"\br8_[A-Za-z0-9]{37,}",
        stub=3,
        source="Replicate, API tokens, https://replicate.com/docs/topics/security/api-tokens",
        example="r8_Example0nlyExample0nlyExample0nlyExamp",
    ),
    Rule(
        name="slack-token",
        hints=("xox",),
        pattern=r"\bxox[abcdeoprs]-[A-Za-z0-9-]{10,}",
        stub=5,
        source="Slack, tokens, https://docs.slack.dev/authentication/tokens",
        example="xoxb-000000000000-example0nlyexample0nly",
    ),
    Rule(
        name="slack-app-token",
        hints=("xapp-",),
        pattern=r"\bxapp-[A-Za-z0-9-]{20,}",
        stub=5,
        source="Slack, tokens, app-level tokens, https://docs.slack.dev/authentication/tokens",
        example="xapp-1-A00000000-0000000000-example0nlyexample0nly",
    ),
    Rule(
        name="slack-webhook",
        hints=("hooks.slack.com/",),
        pattern=r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/+-]{20,})",
        stub=0,
        source="Slack, incoming webhooks, https://docs.slack.dev/messaging/",
        example="https://hooks.slack.com/services/T00000000/B00000000/Example0nlyExample0nlyEx",
    ),
    Rule(
        name="stripe-key",
        hints=("sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"),
        pattern=r"\b[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}",
        stub=8,
        source="Stripe, API keys, https://docs.stripe.com/keys",
        example="sk_test_Example0nlyExample0nlyEx",
    ),
    Rule(
        name="stripe-webhook-secret",
        hints=("whsec_",),
        pattern=r"\bwhsec_[A-Za-z0-9+/]{24,}={0,2}",
        stub=6,
        source="Stripe, webhooks, signatures, https://docs.stripe.com/webhooks",
        example="whsec_Example0nlyExample0nlyExample",
    ),
    Rule(
        name="square-access-token",
        hints=("EAAA",),
        pattern=r"\bEAAA[A-Za-z0-9_-]{60,}",
        stub=4,
        source="Square, access tokens, https://developer.squareup.com/docs/build-basics/access-tokens",
        example="EAAAExample0nlyExample0nlyExample0nlyExample0nlyExample0nlyExampl",
    ),
    Rule(
        name="square-oauth-secret",
        hints=("sq0atp-", "sq0csp-"),
        pattern=r"sq0(?:at|cs)p-[A-Za-z0-9_-]{22,}",
        stub=7,
        source="Square, OAuth API, https://developer.squareup.com/docs/oauth-api/overview",
        example="sq0csp-Example0nly-Example0nly_Example0nlyExampl",
    ),
    Rule(
        name="shopify-token",
        hints=("shpat_", "shpca_", "shppa_", "shpss_", "shpua_"),
        pattern=r"shp(?:at|ca|pa|ss|ua)_[A-Fa-f0-9]{32}\b",
        stub=6,
        source="Shopify, access tokens, https://shopify.dev/docs/apps/build/authentication-authorization",
        example="shpat_0123456789abcdef0123456789abcdef",
    ),
    Rule(
        name="twilio-api-key",
        hints=("SK",),
        pattern=r"\bSK[0-9a-f]{32}\b",
        stub=2,
        source="Twilio, API keys, https://www.twilio.com/docs/iam/api-keys",
        example="SK0123456789abcdef0123456789abcdef",
    ),
    Rule(
        name="sendgrid-key",
        hints=("SG.",),
        pattern=r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43,}",
        stub=3,
        source="Twilio SendGrid, API keys, https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys",
        example="SG.Example0nlyExample0nly.Example0nlyExample0nlyExample0nlyExample0nl",
    ),
    Rule(
        name="mailchimp-key",
        hints=("-us",),
        pattern=r"\b[0-9a-f]{32}-us[0-9]{1,2}\b",
        stub=0,
        source="Mailchimp, about API keys, https://mailchimp.com/help/about-api-keys/",
        example="0123456789abcdef0123456789abcdef-us12",
    ),
    Rule(
        name="resend-key",
        hints=("re_",),
        pattern=r"\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{24,}",
        stub=3,
        source="Resend, API keys, https://resend.com/docs/dashboard/api-keys/introduction",
        example="re_Exa0nly2_Example2nlyExample2nlyEx",
    ),
    Rule(
        name="salesforce-token",
        hints=("!",),
        pattern=r"\b00[A-Za-z0-9]{13}!([A-Za-z0-9._-]{80,})",
        stub=0,
        source="Salesforce, OAuth tokens, https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_tokens.htm",
        example=(
            "00D0example0nly!Example0nly.Example0nly_Example0nlyExample0nlyExample0nlyExample0nlyExample0nlyEx"
        ),
    ),
    Rule(
        name="mailgun-key",
        hints=("key-",),
        pattern=r"\bkey-[0-9a-f]{32}\b",
        stub=4,
        source="Mailgun, API keys, https://documentation.mailgun.com/docs/mailgun/",
        example="key-0123456789abcdef0123456789abcdef",
    ),
    Rule(
        name="telegram-bot-token",
        hints=(":AA",),
        pattern=r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33,}",
        stub=0,
        source="Telegram, bots, how to obtain a token, https://core.telegram.org/bots/features",
        example="1234567890:AAExample0nly-Example0nly_Example0n",
    ),
    Rule(
        name="discord-bot-token",
        # Nothing in the token tells its vendor.
        hints=("discord", "Discord", "DISCORD", "Bot "),
        pattern=r"\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",
        stub=0,
        source="Discord, API reference, authentication, https://discord.com/developers/docs/reference",
        example="Authorization: Bot MTExample0nlyExample0nly.G3xamp.Example0nlyExample0nlyExample0nlyEx",
    ),
    Rule(
        name="discord-webhook",
        hints=("/api/webhooks/",),
        pattern=r"discord(?:app)?\.com/api/webhooks/[0-9]{15,20}/([A-Za-z0-9_-]{60,})",
        stub=0,
        source="Discord, webhook resource, https://discord.com/developers/docs/resources/webhook",
        example=(
            "https://discord.com/api/webhooks/100000000000000000/"
            "Example0nlyExample0nlyExample0nlyExample0nlyExample0nlyExample0nlyEx"
        ),
    ),
    Rule(
        name="jwt",
        hints=("eyJ",),
        pattern=r"\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)*)?",
        stub=3,
        source="RFC 7519 (JWT) and RFC 7515 (JWS), https://www.rfc-editor.org/rfc/rfc7519",
        example="eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.Example0nlyExample0nlyExample0nly",
        check=_is_jwt,
    ),
)
