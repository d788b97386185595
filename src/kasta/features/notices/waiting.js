// Calls somebody back whose turn it is: by the title and the app's badge, and by a sound if that is wished. A hidden
// tab has no stream, so it asks now and then.

import { status, table } from 'kasta/dom.js';

const PAUSE = 20_000;
const LONGEST = 600_000; // once the game is over
const KEY = 'kasta-call';

let wasDue = isDueHere();
let hasBadge = false;
let isAsking = false;
let pause = PAUSE;

/** Whether this page shows that it is one's turn. */
function isDueHere() {
  return document.getElementById('waiting')?.dataset.due !== undefined;
}

/** Have it heard and seen, or not any more. */
function show(isDue) {
  if (isDue && !wasDue && localStorage.getItem(KEY) === '1') {
    table.dispatchEvent(new CustomEvent('call'));
  }
  wasDue = isDue;
  if (hasBadge !== (isDue && document.hidden)) {
    hasBadge = !hasBadge;
    (hasBadge ? navigator.setAppBadge?.() : navigator.clearAppBadge?.())?.catch(() => {});
  }
}

/** Ask how the game stands, while nobody looks at it. */
async function ask() {
  isAsking = false;
  if (!document.hidden) {
    return;
  }
  try {
    const answer = await fetch(document.getElementById('waiting').dataset.ask);
    if (answer.ok && document.hidden) {
      const { title, due, over } = await answer.json();
      document.title = `${title} · Kasta`;
      show(due);
      pause = over ? Math.min(2 * pause, LONGEST) : PAUSE;
    }
  } catch {
    // the next time, perhaps
  }
  askSoon();
}

/** Ask after a while. */
function askSoon() {
  if (!isAsking) {
    isAsking = true;
    setTimeout(ask, pause);
  }
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    pause = PAUSE;
    askSoon();
  } else {
    document.title = `${status().dataset.title} · Kasta`;
    show(wasDue);
  }
});
table.addEventListener('shown', () => show(isDueHere()));
const box = document.getElementById('call');
if (box) {
  box.checked = localStorage.getItem(KEY) === '1';
  box.addEventListener('change', () => localStorage.setItem(KEY, box.checked ? '1' : '0'));
}
