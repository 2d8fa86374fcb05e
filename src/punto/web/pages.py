"""The built pages: files as they are, and the one page for every address that is the pages' own business."""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from litestar import Request, Response, get
from litestar.enums import MediaType
from litestar.params import FromPath

from punto.protocol.refusals import RouteUnknown
from punto.rules.refusals import RefusedError

STATIC = Path(__file__).parent / "static"
INDEX = "index.html"
ASSETS = "assets"
RELATIVE = b'"./'
"""How the built page names its files: from the folder of the pages, wherever that is."""
RESERVED_PATHS = ("api", "metrics", "schema")
CACHE_FOREVER = "public, max-age=31536000, immutable"
NOT_BUILT = "The pages are not built here. The API is at {base_path}/api, its description at {base_path}/schema.\n"

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


BUILT = "built"
"""Marks what was compressed when it was built."""
ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""The encodings of the files that the build wrote beside each other, the shortest first, by how their names end."""


class File(NamedTuple):
    """A built file as it is, and in each encoding in which the build wrote it."""

    content: bytes
    encoded: dict[str, bytes]


class Pages:
    """The files under a folder, listed once: a request names a file or none, and never a path to follow.

    The page itself is shown at addresses of any depth, so it names its files with the prefix of all addresses.
    """

    def __init__(self, folder: Path = STATIC, base_path: str = "") -> None:
        self._not_built = NOT_BUILT.format(base_path=base_path).encode()
        files = [file for file in folder.rglob("*") if file.is_file()] if folder.is_dir() else []
        # Read once: however many ask, and read slowly, a file is in memory once.
        read = {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}
        self._files = {
            name: File(content, {each: read[name + end] for each, end in ENCODINGS.items() if name + end in read})
            for name, content in read.items()
            if not name.endswith(tuple(ENCODINGS.values()))
        }
        if INDEX in self._files:
            index = read[INDEX].replace(RELATIVE, f'"{base_path}/'.encode())
            self._files[INDEX] = File(index, {"gzip": gzip.compress(index)})

    def answer(self, path: str, accept_encoding: str = "") -> Response[bytes]:
        """The file at a path, or the page, in the best encoding that the header of a request accepts."""
        name = path.strip("/")
        if name.split("/")[0] in RESERVED_PATHS or (name.startswith(f"{ASSETS}/") and name not in self._files):
            raise RefusedError(RouteUnknown())
        if name not in self._files:
            name = INDEX
        if name not in self._files:
            return Response(self._not_built, media_type=MediaType.TEXT, headers={"Cache-Control": "no-cache"})
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        headers = {"Cache-Control": CACHE_FOREVER if name.startswith(f"{ASSETS}/") else "no-cache"}
        content, encoded = self._files[name]
        if encoded:
            headers["Vary"] = "Accept-Encoding"
        for encoding in accepted(accept_encoding, encoded):
            headers["Content-Encoding"] = encoding
            content = encoded[encoding]
            break
        return Response(content, media_type=kind, headers=headers)


def accepted(accept_encoding: str, encodings: Iterable[str]) -> list[str]:
    """Those of some encodings that an `Accept-Encoding` header names and does not refuse with a weight of 0."""
    weights = {}
    for part in accept_encoding.lower().split(","):
        encoding, _, weight = part.partition(";")
        weights[encoding.strip()] = weight.strip().removeprefix("q=").strip("0.") != "" or not weight.strip()
    return [encoding for encoding in encodings if weights.get(encoding, False)]


@cache
def built_pages(base_path: str) -> Pages:
    """The pages of this package under a prefix, read once."""
    return Pages(base_path=base_path)


@get(["/", "/{path:path}"], opt={BUILT: True}, include_in_schema=False, sync_to_thread=False)
def page(request: Request[Any, Any, Any], path: FromPath[str] = "/") -> Response[bytes]:
    """A file of the pages, or the page itself, which finds its own way by the address."""
    pages: Pages = request.app.state.pages
    return pages.answer(path, request.headers.get("Accept-Encoding", ""))
