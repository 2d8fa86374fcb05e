"""Every message in and out, derived from the core's dataclasses. OpenAPI, TypeScript and the client start here."""
