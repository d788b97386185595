// Who goes away and who comes back is said aloud; the list of players shows it.

import { announce } from './announce.js';
import { table } from './dom.js';

let away = absent();

/** The names of all who are away. */
function absent() {
  return new Set([...table.querySelectorAll('#players .away .who')].map(who => who.textContent));
}

table.addEventListener('shown', () => {
  const now = absent();
  const { gone, back } = document.getElementById('players').dataset;
  const left = [...now].filter(name => !away.has(name)).map(name => gone.replace('{name}', () => name));
  const came = [...away].filter(name => !now.has(name)).map(name => back.replace('{name}', () => name));
  away = now;
  if (left.length || came.length) {
    announce([...left, ...came].join(' '));
  }
});
