"""Rules for where code lives and comes from: forges, package registries, issue trackers.

A table; see `shape` for how to write an entry. Imports `shape` alone.
"""

from __future__ import annotations

from sayso.mask.shape import Rule

CODE_HOSTS: tuple[Rule, ...] = (
    Rule(
        name="github-token",
        hints=("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        pattern=r"gh[pousr]_[A-Za-z0-9_]{36,}",
        stub=4,
        source="GitHub, about authentication, token formats, https://docs.github.com/en/authentication",
        example="ghp_Examp1eExamp1eExamp1eExamp1eExamp1e0",
    ),
    Rule(
        name="github-fine-grained-token",
        hints=("github_pat_",),
        pattern=r"github_pat_[A-Za-z0-9_]{36,}",
        stub=11,
        source="GitHub, about authentication, token formats, https://docs.github.com/en/authentication",
        example="github_pat_11EXAMPLE0exampleexampl_Examp1eExamp1eExamp1e",
    ),
    Rule(
        name="gitlab-token",
        hints=("glpat-", "gloas-", "glcbt-", "glptt-", "glimt-"),
        pattern=r"gl(?:pat|oas|cbt|ptt|imt)-[A-Za-z0-9_-]{20,}(?:\.[0-9a-z]{2}\.[A-Za-z0-9]{9,})?",
        stub=6,
        source="GitLab, token overview, prefixes, https://docs.gitlab.com/security/tokens/",
        example="glpat-3xample0nly3xample0n",
    ),
    Rule(
        name="gitlab-short-prefix-token",
        hints=("glrt-", "gldt-", "glft-"),
        pattern=r"gl(?:rt|dt|ft)-[A-Za-z0-9_-]{20,}(?:\.[0-9a-z]{2}\.[A-Za-z0-9]{9,})?",
        stub=5,
        source="GitLab, token overview, prefixes, https://docs.gitlab.com/security/tokens/",
        example="glrt-3xample0nly3xample0nly3xampl.01.0example0",
    ),
    Rule(
        name="gitlab-agent-token",
        hints=("glagent-",),
        pattern=r"glagent-[A-Za-z0-9_-]{40,}",
        stub=8,
        source="GitLab, token overview, prefixes, https://docs.gitlab.com/security/tokens/",
        example="glagent-3xample0nly3xample0nly3xample0nly3xample0",
    ),
    Rule(
        name="bitbucket-app-password",
        hints=("ATBB",),
        pattern=r"\bATBB[A-Za-z0-9]{28,}",
        stub=4,
        source="Atlassian, Bitbucket app passwords, https://support.atlassian.com/bitbucket-cloud/",
        example="ATBBexample0nlyexample0nlyEXAMPLE0",
    ),
    Rule(
        name="atlassian-api-token",
        hints=("ATATT3", "ATCTT3"),
        pattern=r"AT[AC]TT3[A-Za-z0-9_=-]{50,}",
        stub=6,
        source="Atlassian, manage API tokens, https://support.atlassian.com/atlassian-account/",
        example="ATATT3xExample0nlyExample0nlyExample0nlyExample0nlyExample0nly=0EXAMPLE",
    ),
    Rule(
        name="npm-token",
        hints=("npm_",),
        pattern=r"\bnpm_[A-Za-z0-9]{36,}",
        stub=4,
        source="GitHub (npm), 2021, https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/",
        example="npm_Examp1eExamp1eExamp1eExamp1eExamp1e0",
    ),
    Rule(
        name="pypi-token",
        hints=("pypi-AgE",),
        pattern=r"pypi-AgE[A-Za-z0-9_-]{50,}",
        stub=5,
        source="PyPI, its own source, macaroons, https://github.com/pypi/warehouse",
        example="pypi-AgEIexample0nlyexample0nlyexample0nlyexample0nlyexample0nlyexample0nly",
    ),
    Rule(
        name="docker-token",
        hints=("dckr_pat_", "dckr_oat_"),
        pattern=r"dckr_[po]at_[A-Za-z0-9_-]{20,}",
        stub=9,
        source="Docker, personal and organization access tokens, https://docs.docker.com/security/",
        example="dckr_pat_Example0nlyExample0nlyExam",
    ),
    Rule(
        name="rubygems-key",
        hints=("rubygems_",),
        pattern=r"\brubygems_[a-f0-9]{48}\b",
        stub=9,
        source="RubyGems, API key scopes, https://guides.rubygems.org/api-key-scopes/",
        example="rubygems_0123456789abcdef0123456789abcdef0123456789abcdef",
    ),
    Rule(
        name="linear-key",
        hints=("lin_api_",),
        pattern=r"lin_api_[A-Za-z0-9]{32,}",
        stub=8,
        source="Linear, API, personal API keys, https://linear.app/developers",
        example="lin_api_Example0nlyExample0nlyExample0nlyExamp",
    ),
    Rule(
        name="notion-token",
        hints=("ntn_",),
        pattern=r"\bntn_[A-Za-z0-9]{40,}",
        stub=4,
        source="Notion, authorization, https://developers.notion.com/docs/authorization",
        example="ntn_12345678901Example0nlyExample0nlyExample0nly",
    ),
    Rule(
        name="notion-legacy-token",
        hints=("secret_",),
        pattern=r"\bsecret_[A-Za-z0-9]{43}\b",
        stub=7,
        source="Notion, authorization, https://developers.notion.com/docs/authorization",
        example="secret_Example0nlyExample0nlyExample0nlyExample0nl",
    ),
    Rule(
        name="postman-key",
        hints=("PMAK-",),
        pattern=r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}\b",
        stub=5,
        source="Postman, API keys, https://learning.postman.com/docs/developer/postman-api/",
        example="PMAK-0123456789abcdef01234567-0123456789abcdef0123456789abcdef01",
    ),
    Rule(
        name="sentry-token",
        hints=("sntrys_", "sntryu_"),
        pattern=r"sntry[su]_[A-Za-z0-9+/=_-]{40,}",
        stub=7,
        source="Sentry, auth tokens, https://docs.sentry.io/account/auth-tokens/",
        example="sntryu_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    ),
)
