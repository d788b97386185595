// The page that checks the dice: it reads the record, and works out every throw again, on this device.

import { firstWrong } from './dice.js';
import 'kasta/page.js';

const verdict = document.getElementById('verdict');

/** The lines of a game record. */
async function readRecord(address) {
  const answer = await fetch(address);
  const text = await answer.text();
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
}

if (verdict) {
  const [header, ...steps] = await readRecord(verdict.dataset.record);
  const rolls = steps.filter(step => step.roll).map(step => step.roll);
  const wrong = firstWrong(header.dice, rolls, verdict.dataset.numbers?.split(' ').map(Number));
  verdict.textContent = wrong === null ? verdict.dataset.proven : verdict.dataset.wrong.replace('{n}', wrong + 1);
  verdict.className = wrong === null ? 'verdict' : 'trouble';
}
