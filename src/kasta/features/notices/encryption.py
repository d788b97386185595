"""How a notice is encrypted for one browser (RFC 8291, RFC 8188), and signed for its push service (RFC 8292)."""

from __future__ import annotations

import base64
import hmac
import json
import os
import struct
from dataclasses import dataclass

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

RECORD = 4096  # bytes: all of a notice is one record
PADDED = 1_024  # bytes to which what is said is filled up: nobody learns from its length what it is
SECRET = 16  # bytes of what a browser shares with us
LAST = b"\2"  # what ends the last record
TOKEN_SECONDS = 43_200  # how long a signature holds
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve P-256


def unpadded(data: bytes) -> str:
    """base64url as these standards write it."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_unpadded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


@dataclass(frozen=True, slots=True)
class BrowserKeys:
    """What a browser gave us to encrypt with: a point on P-256, and a secret of 16 bytes."""

    public: ec.EllipticCurvePublicKey
    secret: bytes

    @classmethod
    def read(cls, p256dh: str, auth: str) -> BrowserKeys:
        """ValueError if these are no keys."""
        secret = from_unpadded(auth)
        if len(secret) != SECRET:
            raise ValueError("the secret has another length")
        return cls(ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_unpadded(p256dh)), secret)


def encrypt(
    text: bytes, keys: BrowserKeys, own: ec.EllipticCurvePrivateKey | None = None, salt: bytes = b""
) -> bytes:
    """A body of the encoding aes128gcm. Keys of our side and the salt are new each time."""
    own, salt = own or ec.generate_private_key(ec.SECP256R1()), salt or os.urandom(16)
    ours, theirs = point(own.public_key()), point(keys.public)
    shared = own.exchange(ec.ECDH(), keys.public)
    secret = _derived(shared, keys.secret, b"WebPush: info\0" + theirs + ours, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + struct.pack("!IB", RECORD, len(ours)) + ours
    return header + AESGCM(key).encrypt(nonce, text + LAST, None)


def padded(data: dict[str, str]) -> bytes:
    """What is said, filled up with blanks, which mean nothing in JSON."""
    return json.dumps(data, ensure_ascii=False).encode().ljust(PADDED)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


class ServerKey:
    """The key by which push services know this server.

    It is derived from the key that signs who is who, so all nodes have it, and a backup keeps it.
    """

    def __init__(self, signing: bytes) -> None:
        digest = hmac.digest(signing, b"vapid 1", "sha256") + hmac.digest(signing, b"vapid 2", "sha256")
        self._key = ec.derive_private_key(1 + int.from_bytes(digest) % (ORDER - 1), ec.SECP256R1())
        self.public = unpadded(point(self._key.public_key()))

    def authorization(self, audience: str, contact: str, now: float) -> str:
        """What a push service at an origin is shown."""
        claims = {"aud": audience, "exp": int(now) + TOKEN_SECONDS, "sub": contact}
        parts = [unpadded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims)]
        signed = ".".join(parts)
        numbers = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        signature = b"".join(number.to_bytes(32) for number in numbers)
        return f"vapid t={signed}.{unpadded(signature)}, k={self.public}"
