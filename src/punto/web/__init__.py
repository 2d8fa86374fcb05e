"""The HTTP and WebSocket edge: routes, schemas, access, limits; it serves the built pages too."""

from punto.web.server import serve

__all__ = ["serve"]
