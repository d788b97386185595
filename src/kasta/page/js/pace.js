// Time that runs: until the table throws by itself, or until a bot stands in. Seen in the tray, and told once.

import { announce } from './announce.js';
import { dice, status, table } from './dom.js';

const NOTICE = 20; // seconds
let until = 0;
let seq = '';
let warned = '';

/** Show how many seconds are left. */
function tick() {
  const clock = status().querySelector('.clock');
  const left = Math.max(0, Math.ceil((until - performance.now()) / 1000));
  const { hurry } = status().dataset;
  const isLate = hurry !== undefined && left <= NOTICE;
  clock.textContent = left;
  clock.classList.toggle('late', isLate);
  if (isLate && left && warned !== dice().dataset.turn) {
    warned = dice().dataset.turn;
    announce(hurry);
  }
}

/** Take up what the server said last. */
function set() {
  const { waits, ...now } = status().dataset;
  status().querySelector('.clock').hidden = waits === undefined;
  if (waits !== undefined) {
    if (now.seq !== seq) {
      until = performance.now() + waits * 1000;
    }
    tick();
  }
  seq = now.seq;
}

table.addEventListener('shown', set);
setInterval(() => 'waits' in status().dataset && tick(), 250);
set();
