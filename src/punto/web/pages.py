"""The built pages: files as they are, and the one page for every address that is the pages' own business."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from litestar import Response, get
from litestar.enums import MediaType
from litestar.params import FromPath

from punto.protocol.refusals import RouteUnknown
from punto.rules.refusals import RefusedError

STATIC = Path(__file__).parent / "static"
INDEX = "index.html"
ASSETS = "assets"
RESERVED_PATHS = ("api", "metrics", "schema")
CACHE_FOREVER = "public, max-age=31536000, immutable"
NOT_BUILT = "The pages are not built here. The API is at /api, its description at /schema.\n"

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
        "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""On every answer: pages run their own scripts alone, talk to their own server alone and stand in nobody's frame."""
SECURITY_HEADER_PAIRS = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
"""The same as they are sent."""
NO_STORE = (b"cache-control", b"no-store")
"""On answers of the API, which may be one person's alone."""


class Pages:
    """The files under a folder, listed once: a request names a file or none, and never a path to follow."""

    def __init__(self, folder: Path = STATIC) -> None:
        files = [file for file in folder.rglob("*") if file.is_file()] if folder.is_dir() else []
        # Read once: however many ask, and read slowly, a file is in memory once.
        self._files = {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}

    def answer(self, path: str) -> Response[bytes]:
        """The file at a path, or the page."""
        name = path.strip("/")
        if name.split("/")[0] in RESERVED_PATHS or (name.startswith(f"{ASSETS}/") and name not in self._files):
            raise RefusedError(RouteUnknown())
        if name not in self._files:
            name = INDEX
        if name not in self._files:
            return Response(NOT_BUILT.encode(), media_type=MediaType.TEXT, headers={"Cache-Control": "no-cache"})
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        kind = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
        lasting = CACHE_FOREVER if name.startswith(f"{ASSETS}/") else "no-cache"
        return Response(self._files[name], media_type=kind, headers={"Cache-Control": lasting})


_PAGES = Pages()


@get(["/", "/{path:path}"], include_in_schema=False, sync_to_thread=False)
def page(path: FromPath[str] = "/") -> Response[bytes]:
    """A file of the pages, or the page itself, which finds its own way by the address."""
    return _PAGES.answer(path)
