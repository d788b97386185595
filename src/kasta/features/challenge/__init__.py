"""Challenges: the same throws for whoever opens a link."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.feature import DAY, Feature, Site
from kasta.features.challenge.api import API
from kasta.features.challenge.groups import ANSWERED, Answers, GroupPages
from kasta.features.challenge.kept import CHALLENGES, KNOWING, PERSONAL
from kasta.features.challenge.pages import ChallengePages
from kasta.features.challenge.routes import PAGES
from kasta.features.challenge.service import Challenges
from kasta.messages import Note
from kasta.series.ghost import Ghosts
from kasta.tables.events import Closed


def _start(site: Site) -> Mapping[str, object]:
    ghosts = Ghosts(site.log, site.coach)
    challenges = Challenges(site.log, site.service, site.collector, ghosts, site.config.retention_days * DAY)
    pages = ChallengePages(challenges)
    site.dice.add(challenges)
    site.home.append(pages.home_section)
    group_pages, answers = GroupPages(challenges, pages, site.groups), Answers(challenges, site.notices)
    site.groups.sections.append(group_pages.section)
    site.notices.kinds[ANSWERED] = Note("Your challenge was answered")
    site.service.on(Closed, answers.hear)
    site.retention.looked.append(challenges.look)
    site.closing.append(ghosts.close)
    return {
        "challenges": challenges,
        "challenge_pages": pages,
        "group_challenges": group_pages,
        "challenge_answers": answers,
    }


FEATURE = Feature(
    "challenge",
    Path(__file__).parent,
    pages=PAGES,
    api=API,
    start=_start,
    personal=[PERSONAL],
    backup=[CHALLENGES, KNOWING],
    place="play",
)
