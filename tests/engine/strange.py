"""An engine with one fault, which its argument names: it begins well, and fails at its first position.

A `moody` one answers where the seed is even.
"""

from __future__ import annotations

import os
import sys
import time


def fail(how: str) -> None:  # noqa: C901 - one case each
    match how:
        case "crash":
            os._exit(3)
        case "hang":
            time.sleep(3600)
        case "garbage":
            sys.stdout.buffer.write(bytes(range(128, 256)) + b"\n\xff\xfe do\n" + b"value a b c\ndo nothing\n")
        case "illegal":
            print("do z9")
        case "flood":
            for _ in range(100_000):
                print("info I am thinking")
        case "endless":
            while True:
                sys.stdout.write("x" * 65_536)
        case "nan":
            print("value nan 0 a1\ndo a1")
        case "refuse":
            print("error I do not like this one")
    sys.stdout.flush()


seed, legal = 0, ""
for line in sys.stdin:
    word = line.split()[0]
    if word in {"kasta", "load"}:
        print("ok", flush=True)
    elif word == "legal":
        legal = line.removeprefix("legal ").rstrip()
    elif word == "seed":
        seed = int(line.split()[1])
    elif word == "go" and sys.argv[1] == "moody":
        print("error not now" if seed % 2 else f"do {legal}", flush=True)
    elif word == "go":
        fail(sys.argv[1])
    elif word == "quit" and sys.argv[1] != "deaf":
        break
