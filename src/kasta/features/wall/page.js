// The wall: dice fall on it, and its screen stays awake.

import { thrown } from 'kasta/dice.js';
import { dice } from 'kasta/dom.js';
import { mirror } from './mirror.js';

let seenTurn = dice()?.dataset.turn ?? '0';

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
mirror(() => {
  const turn = dice()?.dataset.turn ?? seenTurn;
  if (turn !== seenTurn) {
    thrown();
  }
  seenTurn = turn;
});
