// Which cells of one's own sheet can be tapped: the page knows it when dice fall, before the server is asked.

import { table } from './dom.js';

const DOUBLE = 400; // a second tap so soon after the first is no second wish
const NONE = { turn: '', at: -DOUBLE };
let picked = NONE;

/** The form of one's own sheet. */
export const play = () => document.getElementById('play');

/** Whether a cell's button means something now. */
function isLive(button, { mode, sum }) {
  const { on } = button.dataset;
  const isDone = mode === 'throw' && button.closest('.fresh');
  return Boolean(mode && button.value) && (!on || on === sum) && !isDone;
}

/** Let those cells be tapped that may be, and have all forms name the same throw. */
export function arm() {
  const form = play();
  if (form?.dataset.mode !== undefined) {
    for (const button of document.querySelectorAll('#mine .cell button')) {
      button.disabled = !isLive(button, form.dataset);
    }
  }
  for (const field of document.querySelectorAll('[data-copied]')) {
    field.value = form?.elements[field.name]?.value ?? field.value;
  }
}

/** Take a throw up on one's own sheet. */
export function takeUp(turn, sum) {
  const form = play();
  form.elements.turn.value = turn;
  form.elements.step.value = 0;
  form.dataset.mode = 'throw';
  form.dataset.sum = sum;
  delete form.dataset.moves;
  for (const fresh of document.querySelectorAll('#mine :is(.fresh, .won)')) {
    fresh.classList.remove('fresh', 'won');
  }
}

// Circles for a line are no double taps, nor is a pick after one was taken back.
/** The second half of a double tap moves nothing. */
function onTap(event) {
  const form = play();
  if (!event.target.closest('#mine .cell button') || form.dataset.mode === 'lines') {
    picked = NONE;
    return;
  }
  const turn = form.elements.turn.value;
  if (turn === picked.turn && event.timeStamp - picked.at < DOUBLE) {
    event.preventDefault();
  } else {
    picked = { turn, at: event.timeStamp };
  }
}

document.addEventListener('click', onTap);

// What was written before the page came stands there; what is written from now on is drawn.
for (const fresh of document.querySelectorAll('.fresh')) {
  fresh.classList.add('old');
}
table.classList.add('lively');
