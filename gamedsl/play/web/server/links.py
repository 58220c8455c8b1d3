"""Secret links: a seat's key is a MAC of table and seat under the server's secret, 128 bits. Nothing is stored per seat."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import os
import secrets
from base64 import urlsafe_b64encode
from pathlib import Path

from gamedsl.language.source import FileError

KEY_BYTES = 16
SECRET_BYTES = 32


class Links:
    """The keys of seats."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret

    @classmethod
    def of_folder(cls, folder: Path) -> Links:
        """The links of a data folder, with its secret, which is made if missing and readable by its owner only. Raises
        ``FileError`` (E0011) for a secret that could be guessed, and ``OSError``."""
        path = folder / "secret"
        if not path.exists():
            part = folder / f"secret.{os.getpid()}"
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(secrets.token_bytes(SECRET_BYTES))
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        secret = path.read_bytes()
        if len(secret) != SECRET_BYTES or len(set(secret)) == 1:
            raise FileError(
                f"`{path}` is damaged: it must have {SECRET_BYTES} random bytes, and it has {len(secret)}",
                code="E0011",
                help="Restore it from a copy. If you delete it, a new one is made, and the links of all seats stop working.",
            )
        return cls(secret)

    def key(self, table: str, seat: int) -> str:
        """The key of a seat: 22 characters."""
        mac = hmac.new(self.secret, f"{table} {seat}".encode(), hashlib.sha256).digest()[:KEY_BYTES]
        return urlsafe_b64encode(mac).decode().rstrip("=")

    def owner(self, address: str) -> str:
        """The 12 characters that stand for an address in logs and counts, the same for all IPv6 addresses of a /64
        network."""
        mac = hmac.new(self.secret, f"owner {network_of(address)}".encode(), hashlib.sha256).digest()[:9]
        return urlsafe_b64encode(mac).decode()

    def seat(self, table: str, key: str, seats: int) -> int | None:
        """The seat that a key opens, or None. A wrong key takes as long as a right one."""
        given = key.encode()
        fits = [hmac.compare_digest(self.key(table, seat).encode(), given) for seat in range(seats)]
        return fits.index(True) if True in fits else None


def network_of(address: str) -> str:
    """The network that counts as one visitor: an IPv4 address, or the /64 of an IPv6 address, which one household
    has."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def new_table_name(prefix: str = "") -> str:
    """A name for a table that nobody can guess: 72 random bits after the prefix."""
    return prefix + secrets.token_urlsafe(9)
