"""The check of our documentation's language finds the habits that it is for, and nothing in our pages."""

from __future__ import annotations

import plain_english
import pytest

# How our documentation once read. A native reader called these the hardest sentences.
HARD = [
    "Silence is asked of memory; what would depose somebody is asked of the store.",
    "What is made once for many has one rule: what it can see is its key.",
    "It drops who says, finishes or takes nothing, and knows whose connection it is.",
    "News are written straight to a page's connection where nothing else waits to be.",
    "No score stands in a kernel as a number.",
    "What is no setting is refused, and the nearest one named.",
    "An option goes before the environment, that before the file, and that before the default.",
    "It gets its name when it is whole and on the disk, and only then the older ones go, all but 14.",
    "Who floods the server waits for itself.",
    "Root is warned, and whoever opens the server to the network without https.",
    "Who comes back goes on with it.",
    "In games whose values are estimates these change their mind from throw to throw.",
    "Every free place has a number, what it was worth less than the best.",
    "Some bots err, so slips teach nothing wrong.",
    "All of them are made once and told the same.",
    "It says how many are missing and who, once that are 30 or less.",
    "So is every terminal that is none.",
    "What was too much at once is tried again when the server says.",
    "Programs have no secrets from those who play with them.",
    "The totals over time, which stay without anybody's name.",
    "In a decision that was no matter of course, some points were given away.",
    "The class is a rough word, and no grade.",
    "Luck is what the throws were worth more than the mean throw.",
    "The tests are the whole truth.",
    "Looks are looked at.",
    "A table on a beamer.",
    "Everybody plays on an own phone.",
    "Tables are never shown as they were.",
    "Who presses Ctrl+C goes on later from where it was.",
    "It is far less dear than the other.",
    "Equal players are called different with a chance of 5 % at most.",
    "It says how to answer who asks.",
    "Late players are stood in for.",
    "The option says which seat is meant.",
]


@pytest.mark.parametrize("habit", plain_english.HABITS, ids=lambda habit: habit.example.strip())
def test_a_habit_is_found_in_its_example(habit: plain_english.Habit):
    found = [instead for _, _, instead in plain_english.findings(f"{habit.example}\n")]
    assert habit.instead in found


@pytest.mark.parametrize("sentence", HARD)
def test_a_hard_sentence_is_found(sentence: str):
    assert list(plain_english.findings(f"A page.\n\n{sentence}\n"))


def test_code_links_and_quoted_screens_are_not_read():
    text = "Run `whoever`, see [it](whoever.md), or read “Whoever comes”.\n\n```\nwhoever\n```\n"
    assert not list(plain_english.findings(text))


def test_the_line_of_a_finding_is_that_of_the_page():
    assert [line for line, _, _ in plain_english.findings("One.\n\n`code`\n\nFor whoever comes.\n")] == [5]


def test_all_pages_are_read_and_nothing_is_found():
    found = {
        path.name: list(plain_english.findings(plain_english.current(path))) for path in plain_english.pages()
    }
    assert {"README.md", "CHANGELOG.md", "hosting.md", "0030-notices.md", "results.md"} <= set(found)
    assert not {name: lines for name, lines in found.items() if lines}
