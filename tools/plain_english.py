"""Finds sentences in the documentation that are hard to read, and says what to write instead.

`python tools/plain_english.py` is part of `make check`. Each habit below has an example that a test tries.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import notebooks

ROOT = Path(__file__).parents[1]
FOLDERS = ("docs/adr", "docs/api", "docs/benchmarks", "docs/notebooks", "bench")
PLACES = ("*.md", "docs/*.md", *(f"{folder}/*.md" for folder in FOLDERS), "docs/notebooks/*.ipynb")
MADE_FROM_CODE = {"errors.md", "words.md"}  # texts of the app are reviewed in the app
RELEASED = re.compile(r"^## \[\d", re.MULTILINE)  # what the changelog says of earlier versions stays as it is


class Habit(NamedTuple):
    """A habit to drop: how to find it, what to write instead, and a sentence that has it."""

    pattern: str
    instead: str
    example: str


START = r"(?:(?<=\n\n)|(?<=[.!?;]\s)|(?<=\n-\x20)|(?<=[.!?;]\n\x20\x20))"  # of a sentence
CLAUSES = [
    Habit(rf"{START}(?-i:What|Whatever)\b[^?|]*?(?:[.!;]|\n\n)", "a noun", "\n\nWhat is no setting is refused."),
    Habit(
        rf"{START}(?-i:Who)\b[^?|]*?(?:[.!;]|\n\n)", '"people who", "a client that"', "\n\nWho floods it waits."
    ),
    Habit(r"\bwhoever\b", '"anybody who", "the player who"', "Whoever has the link may watch."),
    Habit(
        r"\b(?:than|of|from|by|against|with|to|beside) (?:what|who)\b(?! extent| degree)",
        "a noun",
        "by what it was",
    ),
    Habit(r"(?<!here\x20)\b(?:is|are|was|were|be) (?-i:none)\b", '"is not a ..."', "every terminal that is none"),
    Habit(
        r"(?<!here\x20)\b(?:is|are|was|were) no (?!longer|more|less|better|worse|faster|slower|need)",
        '"is not a"',
        "It is no full house.",
    ),
    Habit(r", and no \w+(?<!more)[.;]", '"not a"', "a rough word, and no grade."),
    Habit(r"(?<!who\x20)\b(?:is|are|was|were) who\b", "a noun", "The fastest is who throws."),
    Habit(r"\b(?:is|are|was|were) what\b", "a noun", "Luck is what the throws were worth."),
    Habit(
        r"\b(?:answer|drop|refuse|close|help|name|count|let)s? (?:who|what)\b",
        "a noun",
        "It drops who says nothing.",
    ),
    Habit(r"\bsays? what is\b", "a noun", "The error says what is missing."),
    Habit(r"\bworth (?:more|less) than\b", "how much more ... was worth", "what it was worth less than the best"),
]
PRIVATE_WORDS = [
    Habit(r"\btold\b", "shown, sent, revealed", "A throw is told to all."),
    Habit(r"\b(?:tell|show|keep|part)(?:s|n)? (?:\w+ ){0,3}apart\b", "separately", "shows luck and skill apart"),
    Habit(r"\bslips?\b", "mistake", "so slips teach nothing"),
    Habit(r"\bdepos\w+", "lose the role", "what would depose somebody"),
    Habit(r"\basked of\b", "read from", "Silence is asked of memory."),
    Habit(r"\b(?:stood|stands?|standing) in for\b", "plays for, replaces", "late players are stood in for"),
    Habit(r"\bgoes? before\b", "overrides", "An option goes before the environment."),
    Habit(r"\b(?:is|are|was|were) whole\b", "complete", "when it is whole and on the disk"),
    Habit(r"\bno secrets?\b", "visible to", "Programs have no secrets from players."),
    Habit(r"\bstays? without\b", "no ... is stored with it", "totals, which stay without a name"),
    Habit(r"\bdear(?:er|est)?\b", "expensive, costliest", "far less dear than that"),
    Habit(r"\bkept apart\b", "stored separately", "results are kept apart"),
    Habit(r"\bchang\w+ (?:its|their) minds?\b", "shifts", "the value changed its mind"),
    Habit(r"\b(?:is|are|was|were|be) looked at\b", "read, checked", "Looks are looked at."),
    Habit(r"\b(?:host's|the) desk\b", "host controls", "at the host's desk"),
    Habit(r"\bmend(?:s|ed|ing)?\b", "fix", "The hole is mended."),
    Habit(r"\b(?:security|known) holes?\b", "vulnerability", "a known hole"),
    Habit(r"\bsecret (?:is|was) told\b", "revealed", "until the secret is told"),
    Habit(r"\b(?:held|holds?|hold) (?:for ever|everywhere)\b", "is valid, applies", "It holds for ever."),
    Habit(r"\bwhole truth\b", "all checks", "make test is the whole truth"),
]
GERMANISMS = [
    Habit(r"\bbeamers?\b", "projector", "on a beamer"),
    Habit(r"\bnews (?:are|reach|were)\b", "updates, messages", "How news reach a page"),
    Habit(r"\ban own\b", "their own, its own", "on an own phone"),
    Habit(r"\bonce that are\b", "when there are", "once that are 30"),
    Habit(
        rf"{START}(?-i:Of) (?:a|an|the) [a-z]+,",
        "turn the sentence round",
        "\n\nOf a folder, all records are read.",
    ),
    Habit(r"\bto be expected\b", "expected", "the total to be expected"),
    Habit(
        r"\bsome (?:\d|ten|twelve|thirty|seconds|minutes|hours|days|thousands)\b", "about, a few", "some minutes"
    ),
    Habit(r"\bby (?:itself|themselves|himself)\b", "automatically, alone", "The list loads by itself."),
    Habit(r"\bstands? (?:below|beside|above|there|with each|with them)\b", "is", "The same stands below."),
    Habit(r"\bthat is so\b|\bso are the\b|\bso is every\b", "repeat the verb", "that is so by design"),
    Habit(r"\bshall\b", "must, should, will", "It shall say how many."),
    Habit(r"\bpossibilit(?:y|ies) to\b", "a way to", "the possibility to play"),
    Habit(r"\binformations\b|\badvices\b|\bsoftwares\b", "singular", "informations"),
    Habit(r"\bhow (?:it|they) looks? like\b", "what it looks like", "how it looks like"),
    Habit(r"\bsince (?:\w+ )?(?:years|days|hours|minutes)\b", "for", "since two hours"),
    Habit(r"\bthere(?:of|by|with)\b|\bwhereby\b|\bherewith\b", "a plain phrase", "and thereby wins"),
    Habit(r"\bas (?:they|it) (?:were|was)\.", "old copies", "never shown as they were."),
    Habit(r"\bwith a chance of\b", "in ... % of", "with a chance of 5 % at most"),
    Habit(r"\b(?:is|are) meant\b", "choose", "says which seat is meant"),
    Habit(r"\bstands? in a\b", "contains", "No score stands in a kernel."),
    Habit(r"\beventual\b", "possible", "an eventual fault"),
    Habit(r"\bof (?:ours|yours)\b", "our, your", "a bot of ours"),
    Habit(r"\bas [A-Z]?\w+ has it\b", "like", "as Elo has it"),
    Habit(r"\bsee to (?:it|two|three|four|five|that)\b", "make sure", "see to five things"),
]
HABITS = CLAUSES + PRIVATE_WORDS + GERMANISMS
COMPILED = [(re.compile(habit.pattern.replace(" ", r"\s+"), re.IGNORECASE), habit.instead) for habit in HABITS]
NO_PROSE = re.compile(
    r"(?s:^( *)(`{3,}).*?^\1\2$)|(?s:<!--.*?-->)|^ {4,}(?![-\d ]).*$|`[^`]+`|^#.*$|\]\([^)]*\)|^\|[ :|-]*\|$"
    r"|\*\*[^*\n]+\*\*|https?://\S+|^>.*$|“[^”]*”",
    re.MULTILINE,
)


def prose(text: str) -> str:
    """The text with a blank for each letter that is not part of a sentence, so that places stay the same."""
    return NO_PROSE.sub(lambda found: re.sub(r"[^\n]", "\u00a0", found[0]), text)


def findings(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, found words, and what to write instead."""
    plain = prose(text)
    for pattern, instead in COMPILED:
        for found in pattern.finditer(plain):
            words = " ".join(found[0].replace("\u00a0", " ").split())
            yield plain.count("\n", 0, found.start()) + 1, words[:60], instead


def current(path: Path) -> str:
    """The text of a page; of the changelog, what is not released yet, and of a notebook, what it says."""
    if path.suffix == ".ipynb":
        return notebooks.prose(notebooks.read(path))
    text = path.read_text("utf-8")
    return RELEASED.split(text)[0] if path.name == "CHANGELOG.md" else text


def pages() -> list[Path]:
    """All pages that are written by hand."""
    return [path for place in PLACES for path in sorted(ROOT.glob(place)) if path.name not in MADE_FROM_CODE]


def main() -> None:
    count = 0
    for path in pages():
        for line, words, instead in sorted(findings(current(path))):
            sys.stdout.write(f'{path.relative_to(ROOT)}:{line}: "{words}": write {instead}\n')
            count += 1
    sys.exit(f"{count} findings" if count else 0)


if __name__ == "__main__":
    main()
