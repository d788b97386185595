"""How games in the pocket are played in a browser: by taps, as soon as something can be tapped."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

PATIENCE = 120_000  # ms, for Python in a browser on a busy machine
PLAY = """async most => {
  const seen = () => document.getElementById('status').dataset.seq;
  const isOver = () => document.getElementById('status').dataset.phase === 'over';
  const next = () => [
    ...document.querySelectorAll('#roll'),
    ...document.querySelectorAll('#mine button[name=do], #after button[name=do], #status button[name=do]'),
  ].find(each => each.checkVisibility() && !each.disabled && each.ariaDisabled !== 'true'
    && !(each.form?.elements.kept) && (each.id === 'roll' || each.value));
  const line = () => document.querySelector('#mine a[data-serve]');
  const soon = () => new Promise(resolve => setTimeout(resolve, 20));
  for (let taps = 0; taps < most && !isOver(); taps += 1) {
    const before = seen();
    const target = next() ?? line();
    target?.click();
    for (let times = 0; times < 50 && seen() === before && target && !target.matches('a'); times += 1) {
      await soon();
    }
    await soon();
  }
  return isOver();
}"""
BODIES = """() => new Promise(resolve => {
  const asked = indexedDB.open('kasta-pocket');
  asked.onsuccess = () => {
    const all = asked.result.transaction('events').objectStore('events').getAll();
    all.onsuccess = () => resolve(all.result.map(row => row.body));
  };
})"""
GAMES = """() => new Promise(resolve => {
  const asked = indexedDB.open('kasta-pocket');
  asked.onsuccess = () => {
    const all = asked.result.transaction('games').objectStore('games').getAll();
    all.onsuccess = () => resolve(all.result);
  };
})"""


def play_to_the_end(page: Page) -> None:
    """Tap what can be tapped until the game is over."""
    page.emulate_media(reduced_motion="reduce")
    page.wait_for_selector("#roll", timeout=PATIENCE)
    assert page.evaluate(PLAY, 3_000)


def games(page: Page) -> list[dict[str, Any]]:
    """What this device has of its games."""
    listed: list[dict[str, Any]] = page.evaluate(GAMES)
    return listed
