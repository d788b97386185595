// What came of one's own acts, in words. The server tells all since the last throw, a sentence a line; each is told
// once.

import { status } from './dom.js';
import { play } from './taps.js';

let seat = '';
let known = [];

/** What is new of it. Another sheet that is looked at brings no news. */
export function receipts() {
  const told = status().dataset.receipt.split('\n').filter(Boolean);
  const whose = play()?.elements.seat.value;
  const news = whose === seat ? told.filter(sentence => !known.includes(sentence)) : [];
  seat = whose;
  known = told;
  return news;
}

receipts();
