"""What must hold on every page: it fits a narrow phone, and fingers can tap what is on it."""

from __future__ import annotations

from playwright.sync_api import Page

OPEN_ALL = "document.querySelectorAll('details').forEach(details => { details.open = true; })"
TOO_WIDE = """() => {
    const { scrollWidth, clientWidth } = document.scrollingElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('main *')]
        .filter(each => each.getBoundingClientRect().right > clientWidth + .5 && !each.closest('.compare table'))
        .slice(0, 5).map(each => each.outerHTML.slice(0, 100));
}"""
TOO_SMALL = """() => [...document.querySelectorAll(
    'button, .button, select, input:not([type=hidden]):not([type=checkbox]), summary, a:not(.skip), .check, ' +
    '.spot:has(input)')]
    .filter(each => each.checkVisibility({ visibilityProperty: true }))
    .map(each => [
        each.outerHTML.slice(0, 80), each.getBoundingClientRect(), each.matches('a:not(.button, nav a)')])
    .filter(([, { width, height }]) => width > 1 || height > 1)  // what is there only for those who listen
    .filter(([, { width, height }, isWord]) => (width < 43.5 && !isWord) || height < 43.5)
    .map(([html, { width, height }]) => `${width.toFixed(1)} x ${height.toFixed(1)}: ${html}`)"""
ALL_RULES: dict[str, object] = {"resultTypes": ["violations"]}
ONLY_COLOURS = {**ALL_RULES, "runOnly": ["color-contrast"]}


def misfits(page: Page) -> list[str]:
    return [*page.evaluate(TOO_WIDE), *page.evaluate(TOO_SMALL)]


def visit(page: Page, address: str) -> None:
    page.goto(address, wait_until="domcontentloaded")
    page.locator("html.js, main:not(:has(#table))").first.wait_for()
    page.evaluate(OPEN_ALL)
