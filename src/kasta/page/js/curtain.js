// The curtain: where this device's players want it, a sheet shows when its owner has the phone.

import { currentTab, remembered, status, table } from './dom.js';

const hand = remembered('hand', 'kasta-curtain');
const curtain = document.getElementById('curtain');
let holder = null;

/** Draw the curtain when the next sheet is another player's. */
function handOver() {
  const now = currentTab();
  if (!now || now.dataset.seat === holder) {
    return;
  }
  holder = now.dataset.seat;
  if (!hand.checked || !['throw', 'pick'].includes(status().dataset.phase)) {
    return;
  }
  curtain.querySelector('p').textContent = curtain.dataset.text.replace('{name}', () => now.dataset.name);
  if (!curtain.open) {
    curtain.showModal();
  }
}

table.addEventListener('shown', handOver);
handOver();
