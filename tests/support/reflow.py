"""Whether a page can be read with large text and on narrow screens, measured by rectangles (WCAG 1.4.4, 1.4.10).

To check a page of yours, open it and ask:

    page.goto(address)
    assert faults(page, LARGE) == []

`faults` lays the page out anew for a `Reading`: how wide the screen is, and how large the browser's text. It tells
what scrolls sideways, which words are cut off or outside the screen, and which lie on each other. Pages and states
that `make screenshots` shows are checked by tests/browser/test_small_screens.py: to add one, add a scene to
tests/browser/scenes.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page

USUAL, USUAL_FIXED = 16, 13  # pixels of text, as browsers come


@dataclass(frozen=True, slots=True)
class Reading:
    """A screen, and the size of text that its owner has chosen in the browser."""

    wide: int
    high: int
    percent: int


PLAIN, NARROW = Reading(390, 844, 100), Reading(320, 568, 100)
LARGE, LARGE_AND_NARROW = Reading(390, 844, 200), Reading(320, 568, 200)
LARGER, WIDE, SIDEWAYS = Reading(390, 844, 150), Reading(1280, 800, 200), Reading(844, 390, 100)

# Each line of text as it is painted: its rectangle without the air around its letters, and the element that it is
# in. Not measured: what only screen readers are told, what lies under an open question, and what can be scrolled.
FAULTS = """() => {
  const root = document.documentElement;
  const scope = document.querySelector('dialog[open]') ?? document.body;
  const HIDDEN = '.hidden, .skip, option, noscript, svg';
  const around = element => element && element !== root ? [element, ...around(element.parentElement)] : [];
  const style = element => getComputedStyle(element);
  const isHidden = element => !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    || around(element).some(each => each.matches(HIDDEN) || style(each).clipPath.startsWith('inset(50%'));
  const floats = each => ['fixed', 'sticky'].includes(style(each).position);
  const cuts = overflow => ['hidden', 'clip'].includes(overflow);
  const scrolls = each => /auto|scroll/.test(style(each).overflowX) && each.scrollWidth > each.clientWidth;
  const named = each => each.id ? `#${each.id}` : [each.localName, ...each.classList].join('.');
  const quoted = text => JSON.stringify(text.trim().slice(0, 40));

  function linesOf(node) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const element = node.parentElement;
    const size = parseFloat(style(element).fontSize);
    const layer = around(element).find(floats) ?? null;
    return [...range.getClientRects()].filter(({ width }) => width > 1).map(({ left, right, top, bottom }) => {
      const air = Math.max(0, (bottom - top - size * 0.72) / 2);
      return { element, text: node.nodeValue, layer, left, right, top: top + air, bottom: bottom - air };
    });
  }

  function isCutBy(each, { left, right, top, bottom }) {
    const { overflowX, overflowY, display } = style(each);
    if (display === 'contents') {
      return false;
    }
    const box = each.getBoundingClientRect();
    return (cuts(overflowX) && (left < box.left - 1.5 || right > box.right + 1.5))
      || (cuts(overflowY) && (top < box.top - 1.5 || bottom > box.bottom + 1.5));
  }

  const lines = [];
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { nodeValue, parentElement } = walker.currentNode;
    if (nodeValue.trim() && !isHidden(parentElement)) {
      lines.push(...linesOf(walker.currentNode));
    }
  }
  const faults = [];
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...scope.querySelectorAll('*')].filter(each => {
      return each.getBoundingClientRect().right > root.clientWidth + 1;
    });
    faults.push(`sideways: ${root.scrollWidth} > ${root.clientWidth} (${wide.slice(-4).map(named)})`);
  }
  for (const line of lines) {
    const all = around(line.element).filter(each => each !== document.body);
    const inside = all.slice(0, all.findIndex(scrolls) + 1 || all.length);
    const cutting = inside.find(each => isCutBy(each, line));
    if (cutting) {
      faults.push(`cut off: ${quoted(line.text)} by ${named(cutting)}`);
    }
    if (inside.length === all.length && (line.left < -1 || line.right > root.clientWidth + 1)) {
      faults.push(`outside: ${quoted(line.text)} from ${Math.round(line.left)} to ${Math.round(line.right)}`);
    }
  }
  for (const each of scope.querySelectorAll('svg, img, button, input, select')) {
    const { left, right, width } = each.getBoundingClientRect();
    const isSeen = width > 1 && !around(each).some(one => one.matches(HIDDEN) && one !== each || scrolls(one));
    if (isSeen && !isHidden(each.parentElement) && (left < -1 || right > root.clientWidth + 1)) {
      faults.push(`outside: ${named(each)} from ${Math.round(left)} to ${Math.round(right)}`);
    }
  }
  for (const [place, one] of lines.entries()) {
    for (const other of lines.slice(place + 1).filter(each => each.element !== one.element)) {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (one.layer === other.layer && wide > 1.5 && high > 1.5) {
        faults.push(`overlap: ${quoted(one.text)} and ${quoted(other.text)}`);
      }
    }
  }
  return [...new Set(faults)];
}"""
SETTLED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def read_as(page: Page, reading: Reading) -> None:
    """Let the screen be so wide, and the browser's text so large, as its owner can."""
    page.set_viewport_size({"width": reading.wide, "height": reading.high})
    sizes = {"standard": USUAL * reading.percent // 100, "fixed": USUAL_FIXED * reading.percent // 100}
    devtools = page.context.new_cdp_session(page)
    devtools.send("Page.setFontSizes", {"fontSizes": sizes})
    devtools.detach()


def faults(page: Page, reading: Reading) -> list[str]:
    """What cannot be read on the page that is open."""
    read_as(page, reading)
    page.evaluate(SETTLED)
    found: list[str] = page.evaluate(FAULTS)
    return found
