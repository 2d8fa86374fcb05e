"""Sessions of the pages: the token in a cookie that scripts cannot read and other sites cannot use.

A cookie comes along with whatever a browser sends, so it counts only where our own page says which account it means:
in a header, which other sites cannot set, or in the hello of a WebSocket, whose origin is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

ACCOUNT_HEADER = "x-punto-account"
COOKIE_DAYS = 90


def cookie_name(account: str) -> str:
    """The name of the cookie of an account."""
    return f"punto-{account}"


def token_in_cookie(headers: Mapping[str, str], account: str) -> str | None:
    """The token of an account's session, if the browser has one."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(cookie_name(account))
    except CookieError:
        return None
    return found.value if found is not None else None


def set_cookie(account: str, token: str, *, secure: bool, base_path: str = "") -> bytes:
    """The header that keeps a session; an empty token ends it."""
    days = COOKIE_DAYS if token else 0
    parts = [
        f"{cookie_name(account)}={token}",
        f"Path={base_path}/api",
        f"Max-Age={days * 86_400}",
        "HttpOnly",
        "SameSite=Strict",
    ]
    return "; ".join([*parts, *(["Secure"] if secure else [])]).encode()
