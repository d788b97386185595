"""How a person plays in WebKit. What can be tapped is what the forms of the page would send, not what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from selenium.common import StaleElementReferenceException
from selenium.webdriver import Remote
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

PATIENCE = 15
Answer = TypeVar("Answer")
LISTEN = """
window.faults ??= [];
addEventListener('error', event => faults.push(event.message));
addEventListener('unhandledrejection', event => faults.push(String(event.reason)));
addEventListener('securitypolicyviolation', event => faults.push(event.violatedDirective));
"""
# What the next tap may be: a throw, once nothing is to be picked; dice to keep; a pick; or a line to begin with.
TAPS = """
const mine = what => [...document.querySelectorAll(what)].filter(one => one.checkVisibility() && !one.disabled);
const at = (action, one) => one.form && new URL(one.form.action).pathname.endsWith(action);
const does = mine('button[name=do]').filter(one => one.value && at('/play', one));
const keeps = does.filter(one => one.form.elements.kept);
return {
  throws: mine('button').filter(one => at('/roll', one)),
  keeps,
  kept: mine('label:has(input[name=kept]:not(:checked))'),
  picks: does.filter(one => !keeps.includes(one)),
  lines: mine('a[data-serve]'),
  again: mine('button').filter(one => at('/rematch', one)),
};
"""


@dataclass
class Phone:
    """One window of WebKit, and what is seen in it."""

    driver: Remote

    def visit(self, url: str) -> None:
        self.driver.get(url)
        self.listen()

    def listen(self) -> None:
        """Note every fault from here on. What is noted is lost when a page is loaded anew."""
        self.driver.execute_script(LISTEN)

    def faults(self) -> list[str]:
        """What went wrong on this page, since it was opened; and that it never was loaded anew."""
        return list(self.ask("return window.faults ?? ['the page was loaded anew']"))

    def ask(self, script: str) -> Any:  # noqa: ANN401 - whatever JavaScript answers
        return self.driver.execute_script(script)

    def find(self, what: str) -> WebElement:
        return self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, what))[0]

    def until(self, question: Callable[[], Answer]) -> Answer:
        """Ask until the answer is something, also while the page changes under the question."""
        wait = WebDriverWait(self.driver, PATIENCE, 0.05, [StaleElementReferenceException])
        return wait.until(lambda _: question())

    def taps(self) -> dict[str, list[WebElement]]:
        answer: dict[str, list[WebElement]] = self.ask(TAPS)
        return answer

    def seen(self) -> str:
        """The place in the table's log up to which the page shows it."""
        return str(self.ask("return document.getElementById('status').dataset.seq"))

    def tap(self, target: WebElement) -> None:
        """Scroll there, and tap as a person does: what lies above it would be in the way."""
        self.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", target)
        target.click()

    def act(self, target: WebElement, before: str) -> None:
        """Tap what changes the table, and wait until the page shows more than `before`, when it was looked for."""
        self.tap(target)
        self.until(lambda: self.seen() != before)

    def play_now(self, game: str) -> str:
        """From the home page to a board, alone; the table's address."""
        self.driver.execute_script(f"document.querySelector('[name=game][value={game}]').checked = true")
        self.tap(self.find(f".game:has([name=game][value='{game}']) .do button"))
        self.until(lambda: "/t/" in self.driver.current_url and self.taps()["throws"])
        self.find("html.js")  # before its script is there, a form is sent without it
        self.listen()
        return self.driver.current_url.split("?")[0]

    def result(self) -> str:
        """What is said of the end."""
        return str(self.ask("return document.getElementById('finish').innerText"))

    def is_proven(self) -> bool:
        """Whether the page of the dice has worked out every throw again."""
        verdict = self.find("#verdict")
        return verdict.text == verdict.get_attribute("data-proven")

    def is_too_wide(self) -> bool:
        return bool(self.ask("return document.documentElement.scrollWidth > innerWidth"))
