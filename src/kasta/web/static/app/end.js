// The end keeps its secret for a moment: line by line first, then who has won. A tap shows all at once.

import { announce } from './announce.js';
import { calm, table } from './dom.js';

const LINE = 250;
const LONGEST_COUNT = 4000;
let curtainUp = 0;

/** Show who has won. */
function showWinner() {
  clearInterval(curtainUp);
  if (!table.classList.contains('suspense')) {
    return;
  }
  table.classList.remove('suspense');
  const crown = table.querySelector('.crown');
  announce(crown.textContent);
  crown.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
}

/** Show what all have in one more line; after the last, who has won. */
function showLine() {
  const line = table.querySelector('.compare tbody tr:not(.told)');
  if (line) {
    line.classList.add('told');
  } else {
    showWinner();
  }
}

table.addEventListener('shown', ({ detail: { isEnd } }) => {
  const lines = table.querySelectorAll('.compare tbody tr').length;
  if (isEnd && lines && !calm.matches) {
    table.classList.add('suspense');
    curtainUp = setInterval(showLine, Math.min(LINE, LONGEST_COUNT / lines));
  }
});
document.addEventListener('pointerdown', showWinner);
