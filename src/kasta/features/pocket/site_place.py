"""Where a page of a site without a server is. English is at the top, each other language in a folder."""

from __future__ import annotations

from dataclasses import dataclass

from kasta.edge.middleware import POLICY
from kasta.i18n import DEFAULT, LANGUAGES

OF_HEADERS = "frame-ancestors 'none'; "  # a page cannot say that itself


@dataclass(frozen=True, slots=True)
class SitePlace:
    """`path` is a page's folder in each language, from the top or from the language's folder."""

    language: str
    path: str = ""

    @property
    def folder(self) -> str:
        """From the top."""
        return self.path if self.language == DEFAULT else f"{self.language}/{self.path}"

    @property
    def up(self) -> str:
        """The way to the top."""
        return "/".join([".."] * self.folder.count("/")) or "."

    @property
    def home(self) -> str:
        return f"{self.up}/{SitePlace(self.language).folder}"

    @property
    def languages(self) -> tuple[tuple[str, str, str], ...]:
        """The same page in all of them: code, name, address."""
        return tuple(
            (code, name, f"{self.up}/{SitePlace(code, self.path).folder}") for code, name in LANGUAGES.items()
        )

    @property
    def policy(self) -> str:
        """What the page may load; it says so itself, because such servers send no headers of ours."""
        return POLICY.replace(OF_HEADERS, "")
