"""What marks and classes are called, in any language."""

from __future__ import annotations

from kasta.i18n import Words, spelled


def class_name(code: str, words: Words) -> str:
    """The name of a class of players."""
    names = {
        "master": words.say("master"),
        "expert": words.say("expert"),
        "seasoned": words.say("seasoned player"),
        "casual": words.say("casual player"),
        "beginner": words.say("beginner"),
        "learner": words.say("learner"),
    }
    return names.get(code) or spelled(code)


def mark_name(code: str, words: Words) -> str:
    names = {
        "doubtful": words.say("almost the best"),
        "bad": words.say("there was more"),
        "very_bad": words.say("there was a lot more"),
        "lucky": words.say("lucky"),
        "unlucky": words.say("unlucky"),
        "stand_in": words.say("a bot picked"),
    }
    return names.get(code) or spelled(code)
