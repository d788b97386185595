"""What every choice is worth in a position of Yatzy, exactly: python best_choices.py"""

from __future__ import annotations

import kasta

RECORD = """\
{"kasta": 1, "game": "yatzy", "rules": "sheet", "seats": ["Ann"]}
{"roll": [2, 2, 5, 5, 5]}
"""


def main() -> None:
    """The three best choices, and what each gives away."""
    advice = kasta.advise(kasta.replay(RECORD))
    best = advice.options[0]
    for option in advice.options[:3]:
        print(f"{option.action!s:<16} {option.value:7.2f} {option.value - best.value:+6.2f}")


if __name__ == "__main__":
    main()
