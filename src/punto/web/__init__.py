"""The HTTP and WebSocket edge: routes, schemas, access, limits; it serves the built pages too."""
