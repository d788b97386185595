// Where the time to pick is limited: a warning, 20 seconds before a bot stands in.

import { refuse } from './announce.js';
import { dice, status, table } from './dom.js';

const NOTICE = 20;
let timer = 0;
let warned = '';

table.addEventListener('shown', () => {
  const { pace, hurry } = status().dataset;
  const { turn } = dice().dataset;
  if (!pace) {
    clearTimeout(timer);
    warned = '';
  } else if (turn !== warned) {
    clearTimeout(timer);
    warned = turn;
    timer = setTimeout(() => refuse(hurry), Math.max(0, pace - NOTICE) * 1000);
  }
});
