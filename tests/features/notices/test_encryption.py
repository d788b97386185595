"""Encryption and signatures are those of the standards."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric import ec

from features.notices.push_service import Browser, Pushed, PushService, decoded, encoded
from kasta.features.notices.encryption import BrowserKeys, ServerKey, encrypt, padded

# RFC 8291, appendix A.
PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH, SALT = "BTBZMqHH6r4Tts7J_aSIgg", "DGv6ra1nlYgDCS1FRnbzlw"
OWN = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SAID = b"When I grow up, I want to be a watermelon"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_standard_comes_out():
    own = ec.derive_private_key(int.from_bytes(decoded(OWN)), ec.SECP256R1())
    assert encoded(encrypt(SAID, BrowserKeys.read(PUBLIC, AUTH), own, decoded(SALT))) == BODY


def test_a_browser_reads_it_and_its_length_says_nothing():
    browser = Browser()
    keys = BrowserKeys.read(encoded(browser.public), encoded(browser.auth))
    bodies = [encrypt(padded({"title": title}), keys) for title in ("Din tur", "Les lancers du jour sont là")]
    assert bodies[0][:16] != bodies[1][:16]
    assert len(bodies[0]) <= 4096
    assert abs(len(bodies[0]) - len(bodies[1])) <= 4
    assert browser.decrypt(bodies[0]).rstrip() == b'{"title": "Din tur"}'


def test_all_nodes_and_a_restored_store_have_the_same_key_and_another_store_another():
    one, same, other = (ServerKey(bytes([number]) * 32) for number in (1, 1, 2))
    assert one.public == same.public != other.public
    pushed = Pushed("/", {"authorization": same.authorization("https://push.example", "mailto:a@b.c", 1e9)}, b"")
    claims = PushService().claims(pushed, one.public)
    assert claims == {"aud": "https://push.example", "exp": 1_000_043_200, "sub": "mailto:a@b.c"}
