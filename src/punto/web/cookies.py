"""Sessions of the pages: the token in a cookie that scripts cannot read and other sites cannot use.

A cookie comes along with whatever a browser sends, so it counts only where our own page says which account it means:
in a header, which other sites cannot set, or in the hello of a WebSocket, whose origin is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import formatdate

ACCOUNT_HEADER = "x-punto-account"


def cookie_name(account: str) -> str:
    """The name of the cookie of an account."""
    return f"punto-{account}"


def token_in_cookie(headers: Mapping[str, str], account: str) -> str | None:
    """The token of an account's session, if the browser has one."""
    # `http.cookies` reads nothing behind a cookie that it does not like, and takes seconds for a hostile header.
    for each in headers.get("cookie", "").split(";"):
        name, _, token = each.strip().partition("=")
        if name == cookie_name(account):
            return token
    return None


def set_cookie(account: str, token: str, ends_at_ms: int | None = None, *, secure: bool, base_path: str = "") -> bytes:
    """The header that keeps a session until its token ends; an empty token ends it now.

    A token without an end is kept until the browser closes.
    """
    parts = [f"{cookie_name(account)}={token}", f"Path={base_path}/api", "HttpOnly", "SameSite=Strict"]
    if not token:
        parts.append("Max-Age=0")
    elif ends_at_ms is not None:
        parts.append(f"Expires={formatdate(ends_at_ms / 1_000, usegmt=True)}")
    return "; ".join([*parts, *(["Secure"] if secure else [])]).encode()
