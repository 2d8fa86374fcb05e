"""The built pages: files as they are, and the one page for every address that is the pages' own business."""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from punto.protocol.refusals import RouteUnknown
from punto.rules.refusals import Refused
from punto.web.requests import Response

STATIC = Path(__file__).parent / "static"
INDEX = "index.html"
ASSETS = "assets"
RELATIVE = b'"./'
"""The beginning of file names in the built page: the folder of the pages, wherever that is."""
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

    def is_page(self, path: str) -> bool:
        """True if an address is the pages' own business."""
        name = path.strip("/")
        return name.split("/")[0] not in RESERVED_PATHS and (not name.startswith(f"{ASSETS}/") or name in self._files)

    def answer(self, path: str, accept_encoding: str = "") -> Response:
        """The file at a path, or the page, in the best encoding that the header of a request accepts."""
        name = path.strip("/")
        if not self.is_page(path):
            raise Refused(RouteUnknown())
        if name not in self._files:
            name = INDEX
        if name not in self._files:
            headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-cache")]
            return Response(200, self._not_built, headers)
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        if kind.startswith("text/"):
            kind += "; charset=utf-8"
        cache = CACHE_FOREVER if name.startswith(f"{ASSETS}/") else "no-cache"
        headers = [(b"content-type", kind.encode()), (b"cache-control", cache.encode())]
        content, encoded = self._files[name]
        if encoded:
            headers.append((b"vary", b"Accept-Encoding"))
        for encoding in accepted(accept_encoding, encoded):
            headers.append((b"content-encoding", encoding.encode()))
            content = encoded[encoding]
            break
        return Response(200, content, headers)


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
