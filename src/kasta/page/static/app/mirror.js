// A page that only shows: the server sends all of it whenever something is new, for hours, whatever the network does.

import { connection } from './announce.js';
import { table } from './dom.js';
import { morph } from './morph.js';

const QUIET = 40_000; // the server lets its heart beat more often than this
const AGAIN = 3_000;
const LATE = 10; // seconds

let mirrored = null;
let lastHeard = 0;
let ends = 0; // when the table acts by itself

/** The server is there. */
function hear() {
  lastHeard = Date.now();
  connection('');
}

/** Show how many seconds are left, if time runs. */
function runClock() {
  const clock = document.getElementById('clock');
  if (clock) {
    const left = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
    clock.hidden = !ends;
    clock.textContent = left;
    clock.classList.toggle('late', left <= LATE);
  }
}

/** Let time run for so many seconds; null: there is no limit. */
function setClock(waits) {
  ends = waits === null ? 0 : performance.now() + waits * 1000;
  runClock();
}

/** Show what the server sent; the next game takes all along, and a new server brings a new page. */
function showBoard(event, shown) {
  const { html, waits, moved, version } = JSON.parse(event.data);
  if (version !== table.dataset.version) {
    location.reload();
    return;
  }
  if (moved) {
    location.replace(`/t/${moved}/${table.dataset.kind}${location.search}`);
    return;
  }
  const box = document.createElement('template');
  box.innerHTML = html;
  morph(document.getElementById('board'), box.content.firstElementChild);
  setClock(waits);
  shown();
}

/** Listen. The browser mends a stream that broke, unless it was refused. */
function tune(shown) {
  mirrored?.close();
  lastHeard = Date.now();
  mirrored = new EventSource(table.dataset.stream);
  mirrored.addEventListener('open', hear);
  mirrored.addEventListener('beat', hear);
  mirrored.addEventListener('gone', () => location.replace('/'));
  mirrored.addEventListener('board', event => {
    hear();
    showBoard(event, shown);
  });
  mirrored.addEventListener('error', () => {
    connection(table.dataset.retry);
    if (mirrored.readyState === EventSource.CLOSED) {
      setTimeout(tune, AGAIN, shown);
    }
  });
}

/** Keep the page up to date from now on; `shown` is called whenever it is. */
export function mirror(shown) {
  setClock('waits' in table.dataset ? Number(table.dataset.waits) : null);
  tune(shown);
  addEventListener('online', () => tune(shown));
  addEventListener('pagehide', () => mirrored.close());
  addEventListener('pageshow', event => event.persisted && tune(shown));
  setInterval(runClock, 250);
  setInterval(() => Date.now() - lastHeard > QUIET && tune(shown), 5_000);
}
