// The wall: dice fall on it, and its screen stays awake.

import { falling, land, thrown } from 'kasta/dice.js';
import { dice } from 'kasta/dom.js';
import { hold, inOrder } from 'kasta/news.js';
import 'kasta/rise.js';
import { mirror } from './mirror.js';

let turn = dice()?.dataset.turn; // of the throw that is seen

/** Keep the screen awake, where the browser lets us. */
async function stayAwake() {
  try {
    await navigator.wakeLock?.request('screen');
  } catch {
    // low on battery, or not in sight: asked for again when it is
  }
}

document.addEventListener('visibilitychange', () => document.hidden || stayAwake());
stayAwake();

/** Show a board once the dice lie that it tells of. */
function present(board, show) {
  const fallen = board.querySelector('#dice');
  if (!fallen || fallen.dataset.turn === turn) {
    show();
    return;
  }
  turn = fallen.dataset.turn;
  hold(land(falling(fallen)), () => {
    show();
    thrown();
  });
}

mirror((board, show) => inOrder(() => present(board, show)));
