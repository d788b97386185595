"""Games without a network in Chromium: until the first throw can be made, and from a tap until the page shows it.

A first load is the first one of a browser that has kept in idle time what it needs, while the server is away.
Slowed, the browser's processes are stopped three quarters of the time.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from kasta.games import OURS
from support.browsing import ARGS, CHROMIUM, PHONE, Server
from support.relays import Relay

PATIENCE = 300_000  # ms
IS_KEPT = "async () => Boolean(await caches.match('/pocket/list'))"
AWAKE = "#roll:not([disabled])"
SLICE = 0.01  # seconds that a slowed browser runs at a time
TAPS = """async () => {
  const seq = () => document.getElementById('status')?.dataset.seq;
  const isOver = () => document.getElementById('status').dataset.phase === 'over';
  const soon = () => new Promise(resolve => setTimeout(resolve, 30));
  const next = () => [
    ...document.querySelectorAll('#roll'),
    ...document.querySelectorAll('#mine .cell button, #mine button[name=do], #after button[name=do]'),
  ].find(each => each.checkVisibility() && !each.disabled && each.ariaDisabled !== 'true'
    && !each.form?.elements.kept && (each.id === 'roll' || each.value));
  const times = { throws: [], picks: [] };
  for (let taps = 0; taps < 3000 && !isOver(); taps += 1) {
    const target = next() ?? document.querySelector('#mine a[data-serve]');
    if (target?.matches('a')) {
      target.click();
    } else if (target) {
      const [before, begun] = [seq(), performance.now()];
      const shown = new Promise(resolve => {
        const watch = new MutationObserver(() => {
          if (seq() !== before) {
            watch.disconnect();
            resolve(performance.now() - begun);
          }
        });
        watch.observe(document.getElementById('table'), { subtree: true, childList: true, attributes: true });
      });
      const kind = target.id === 'roll' ? 'throws' : 'picks';
      target.click();
      times[kind].push(await shown);
    }
    await soon();
  }
  return times;
}"""


def _children() -> Iterator[int]:
    """The processes that this one has begun, and theirs."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
    for process in parents:
        above = process
        while above in parents and above != os.getpid():
            above = parents[above]
        command = Path(f"/proc/{process}/cmdline")
        with suppress(OSError):
            if above == os.getpid() != process and "--type=renderer" in command.read_text():
                yield process


@contextmanager
def slowed(times: int) -> Iterator[None]:
    """Have the browser run only every so many moments."""
    is_over, processes = threading.Event(), list(_children())

    def send(number: int) -> None:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, number)

    def hold() -> None:
        while not is_over.is_set():
            send(signal.SIGSTOP)
            time.sleep(SLICE * (times - 1))
            send(signal.SIGCONT)
            time.sleep(SLICE)

    holding = threading.Thread(target=hold)
    if times > 1:
        holding.start()
    try:
        yield
    finally:
        is_over.set()
        if times > 1:
            holding.join()
        send(signal.SIGCONT)


def kept(browser: Browser, line: Relay) -> Page:
    """A phone that has what it needs."""
    page = browser.new_context(**PHONE | {"service_workers": "allow", "reduced_motion": "reduce"}).new_page()
    page.goto(line.url)
    while not page.evaluate(IS_KEPT):
        page.wait_for_timeout(200)
    page.wait_for_timeout(1_000)
    return page


def begin(page: Page, line: Relay, game: str, slower: int = 1) -> float:
    """Seconds until the first throw can be made."""
    with slowed(slower):
        begun = time.monotonic()
        page.goto(f"{line.url}/pocket?game={game}&alone=1")
        page.wait_for_selector(AWAKE, timeout=PATIENCE)
        return time.monotonic() - begun


def measure(browser: Browser, line: Relay, loads: int) -> None:
    for slower in (1, 4):
        first, second = [], []
        for _ in range(loads):
            page = kept(browser, line)
            with line.away():
                first.append(begin(page, line, "knister", slower))
                second.append(begin(page, line, "knister", slower))
            page.context.close()
        print(f"until the first throw, slowed {slower} times: {median(first):.2f} s ({max(first):.2f}),", end=" ")
        print(f"the second time {median(second):.2f} s ({max(second):.2f})", flush=True)
    page = kept(browser, line)
    for game in OURS:
        with line.away():
            begin(page, line, game)
            for kind, times in page.evaluate(TAPS).items():
                slow = quantiles(times, n=100)[98]
                print(f"{game}, {kind}: {median(times):.0f} ms, 99 %: {slow:.0f} ms, of {len(times)}", flush=True)
    page.context.close()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--loads", type=int, default=3)
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        line = Relay(server.port)
        line.mend()
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGS)
        print(f"load of the machine: {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores")
        try:
            measure(browser, line, chosen.loads)
        finally:
            browser.close()
            line.cut()
            server.kill()


if __name__ == "__main__":
    main()
