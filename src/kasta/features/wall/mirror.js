// A page that only shows: the server sends all of it whenever something is new, for hours, whatever the network does.

import { table, tell } from 'kasta/dom.js';
import { morph } from 'kasta/morph.js';
import { watched } from 'kasta/watched.js';

const LATE = 10; // seconds

let ends = 0; // when the table acts by itself

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
function showBoard(event, present) {
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
  const board = box.content.firstElementChild;
  present(board, () => {
    morph(document.getElementById('board'), board);
    setClock(waits);
  });
}

/** Keep the page up to date from now on; `present` gets each new board, and what shows it. */
export function mirror(present) {
  const stream = watched({
    address: () => table.dataset.stream,
    handlers: {
      board: event => showBoard(event, present),
      signal: event => tell('signal', JSON.parse(event.data)),
      gone: () => location.replace('/'),
    },
    wake: () => stream.open(),
  });
  setClock('waits' in table.dataset ? Number(table.dataset.waits) : null);
  stream.open();
  addEventListener('online', () => {
    stream.close();
    stream.open();
  });
  addEventListener('pageshow', event => event.persisted && stream.open());
  setInterval(runClock, 250);
}
