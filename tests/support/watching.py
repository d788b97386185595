"""A throw watched frame by frame, in any browser: when dice leave, when they lie, and what tells the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# What is on the screen is noted in every frame since something was tapped. `told` is whatever tells the result
# of a throw, to eyes, to ears or to a tab; `seen` is the number on the sheet.
WATCH = """
window.frames_seen = [];
window.tapped_at = 0;
const isSeen = element => element?.checkVisibility({ visibilityProperty: true });
const isLit = button => getComputedStyle(button).backgroundColor !== 'rgba(0, 0, 0, 0)';
const all = what => [...document.querySelectorAll(what)].filter(isSeen);
addEventListener('click', event => {
  frames_seen.length = 0;
  tapped_at = event.timeStamp;
}, true);
(function look() {
  requestAnimationFrame(look); // a fault in one frame is noted, and ends nothing
  const dice = document.getElementById('dice');
  frames_seen.push({
    at: performance.now() - tapped_at,
    air: document.querySelectorAll('.cube.flying').length,
    moves: dice.getAnimations({ subtree: true }).some(each => each.playState === 'running'),
    asleep: all('#status button.throw').every(button => button.ariaDisabled === 'true'),
    turn: dice.dataset.turn,
    told: [
      document.title,
      document.getElementById('announce').textContent,
      [...document.querySelectorAll('#dice .cube')].map(cube => cube.dataset.face ?? '-').join(''),
      all('#dice .sum, #status .hint').map(each => each.textContent).join(),
      all('#mine .worth').map(each => each.textContent).join(),
      all('#mine .cell button:enabled').filter(isLit).length,
    ],
    sketched: all('#mine .pale').length,
    pending: all('#mine .pending').length,
  });
})();
"""


@dataclass(frozen=True)
class Frame:
    """What stood on the screen so many milliseconds after the last tap."""

    at: float
    air: int
    moves: bool
    asleep: bool
    turn: str
    told: list[Any]
    sketched: int
    pending: int


def frames(noted: list[dict[str, Any]]) -> list[Frame]:
    """The frames since the last tap."""
    return [Frame(**each) for each in noted]


SOON = 150  # ms, or as many frames as pass meanwhile


def check_throw(seen: list[Frame]) -> tuple[float, float]:
    """Nothing is told until the dice lie, and then soon all of it; when they left, and when they lay."""
    left = next(number for number, frame in enumerate(seen) if frame.air)
    lay = next(number for number, frame in enumerate(seen) if number > left and not frame.air)
    still = came_to_rest(seen, left, lay)
    before, flight, after = seen[left], seen[left:lay], seen[lay]
    assert left < 3 or before.at < 50, [frame.at for frame in seen[: left + 1]]  # a loaded machine skips frames
    assert all(frame.asleep and frame.turn == before.turn for frame in flight)
    assert all(frame.told[:3] == before.told[:3] for frame in flight)
    assert all(frame.told[3:] == ["", "", 0] for frame in flight)
    assert after.turn != before.turn
    assert after.told == seen[-1].told  # all at once
    assert after.told[1] != before.told[1]
    assert lay - still < SOON * 60 / 1_000 or after.at - seen[still].at < SOON
    return before.at, after.at


def came_to_rest(seen: list[Frame], left: int, lay: int) -> int:
    """The first frame since which no die has moved. A tap lets them lie while they still move."""
    moving = (number for number in range(lay - 1, left - 1, -1) if seen[number].moves)
    return next(moving, lay - 1) + 1
