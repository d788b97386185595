// Somebody's first game of a kind: what to do is said three times, each until it is done, on a note below the sheet.

import { status, table } from './dom.js';
import { isNew, keepBegun } from './kept.js';
import { settled } from './news.js';

const [THROW, PICK, PAYS, DONE] = [1, 2, 3, 4];
const place = document.getElementById('first-game'); // only before the first throw
const steps = [...(place?.querySelectorAll('template') ?? [])];
let step = 0;

/** Whether there is something to write. */
const isDue = () => Boolean(document.querySelector('#play:not([data-moves]) ~ * td button:enabled'));

/** Whether one can begin the game, and sees the sheet. */
const isToThrow = () => Boolean(document.getElementById('roll')) && !document.querySelector('.invitation');

/** Which note is to be seen now. */
function current() {
  const { phase } = status().dataset;
  if (phase === 'lobby') {
    return isToThrow() ? THROW : step;
  }
  if (isDue()) {
    return step < PAYS ? PICK : DONE;
  }
  return step === PICK ? PAYS : step;
}

/** Show a note in the place of the one before. */
function show(next) {
  step = next;
  place.dataset.step = step;
  place.replaceChildren();
  if (step < DONE) {
    const note = document.createElement('div');
    note.append(steps[step - 1].content.cloneNode(true));
    place.append(note);
  }
  if (step > THROW) {
    keepBegun(place.dataset.game);
  }
}

/** Look what was done, once all is shown. */
async function look() {
  await settled();
  const next = step < DONE ? current() : step;
  if (next !== step) {
    show(next);
  }
}

if (steps.length && isNew(place.dataset.game)) {
  table.addEventListener('shown', look);
  table.addEventListener('tossed', () => (step === PAYS ? show(DONE) : step === THROW && place.replaceChildren()));
  place.addEventListener('click', ({ target }) => {
    if (target.closest('button')) {
      show(DONE);
      status().focus({ preventScroll: true });
    }
  });
  look();
}
