"""An engine in thirty lines: it likes the middle of the list, and it hates to throw dice again."""

import sys


def choose(legal: list[str]) -> str:
    """Anything that ends the turn, if there is something; of all that, the one in the middle."""
    ends = [action for action in legal if not action.startswith("keep")]
    return ends[len(ends) // 2]


def main() -> None:
    legal: list[str] = []
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "kasta":
            print("name hopeful")
            print("ok", flush=True)
        elif word == "load":
            print("ok", flush=True)
        elif word == "game":
            legal = []  # a new position begins
        elif word == "legal":
            legal.append(rest)
        elif word == "go":
            print("do", choose(legal), flush=True)
        elif word == "quit":
            return


main()
