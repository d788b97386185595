// The end keeps its secret for a moment: points first, line by line, then who has won. A tap shows all at once.

import { calm, table, tell, total } from './dom.js';
import { feast } from './feast.js';
import { keepGame } from './kept.js';

const LINE = 350;
const LONGEST = 4_200;
const PAUSE = 700; // the last pick may be tapped twice: that skips nothing, and nothing moves under the finger
let count = null; // while lines are told

/** Show the total as far as it has been told, whatever the server sends meanwhile. */
function showCount() {
  if (count.isOwn && total()) {
    total().textContent = count.sum;
  }
}

/** Bring the end into sight with the sheet below it, and be glad of it by its size. Receipts have told it in words. */
function showEnd() {
  if (!document.getElementById('crown')) {
    return; // it was closed before it began
  }
  scrollTo({ top: 0, behavior: calm.matches ? 'instant' : 'smooth' });
  feast(Number(document.getElementById('finish').dataset.feast));
  tell('ended');
}

/** Tell the next line, or all that are left. */
function tellOn(isAll) {
  do {
    const line = count.lines.shift();
    line.classList.add('told', 'fresh');
    count.sum += Number(line.dataset.points ?? 0);
  } while (isAll && count.lines.length);
  showCount();
  if (!count.lines.length) {
    clearInterval(count.timer);
    count = null;
    table.classList.remove('suspense');
    showEnd();
  }
}

/** Tell the lines of one's own sheet, and the total that grows; without a sheet, what all have in each line. */
function begin() {
  const own = total() ? [...document.querySelectorAll('#mine [data-points]')] : [];
  const lines = own.length ? own : [...document.querySelectorAll('.compare tbody tr')];
  if (!lines.length || calm.matches) {
    setTimeout(showEnd, PAUSE);
    return;
  }
  const told = own.reduce((all, line) => all + Number(line.dataset.points), 0);
  const timer = setInterval(tellOn, Math.min(LINE, LONGEST / lines.length), false);
  count = { isOwn: own.length > 0, lines, sum: Number(total()?.textContent) - told, timer, begun: performance.now() };
  table.classList.add('suspense');
  showCount();
  (own.length ? total() : lines.at(-1)).scrollIntoView({ block: 'nearest', behavior: 'smooth' });
}

table.addEventListener('shown', ({ detail: { isEnd } }) => {
  if (isEnd) {
    begin();
  } else if (count) {
    showCount();
  }
});
document.addEventListener('pointerdown', ({ timeStamp }) => {
  if (count && timeStamp - count.begun > PAUSE) {
    tellOn(true);
  }
});

/** Keep the own sheet of a game that is over for the time without a network. */
function keepOwn() {
  const picture = document.getElementById('picture');
  if (picture) {
    keepGame(picture.dataset.text, picture.dataset.kept).catch(() => {});
  }
}

table.addEventListener('shown', keepOwn);
keepOwn();
