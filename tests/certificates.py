"""A certificate for this machine, signed by an authority of its own."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


def certify(folder: Path) -> ssl.SSLContext:
    """Write `punto.pem`, `punto.key` and the `ca.pem` that vouches for them; what trusts that authority."""
    now = datetime.now(UTC)
    authority, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())

    def named(name: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])

    def signed(name: str, public: ec.EllipticCurvePublicKey, extension: x509.ExtensionType) -> bytes:
        valid = x509.random_serial_number(), now, now + timedelta(days=1)
        made = x509.CertificateBuilder(named("authority"), named(name), public, *valid)
        return made.add_extension(extension, critical=False).sign(authority, hashes.SHA256()).public_bytes(Encoding.PEM)

    address = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    (folder / "punto.pem").write_bytes(signed("house", key.public_key(), address))
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "punto.key").write_bytes(secret)
    any_length = x509.BasicConstraints(ca=True, path_length=None)
    (folder / "ca.pem").write_bytes(signed("authority", authority.public_key(), any_length))
    return ssl.create_default_context(cafile=str(folder / "ca.pem"))
