// Bots take their time; whoever does not want to watch them sees at once what they have done.

import { hurry } from './dice.js';
import { status, table } from './dom.js';
import { hasten } from './news.js';

document.addEventListener('submit', ({ target }) => {
  if (target.action.endsWith('/skip')) {
    hasten(true);
    hurry();
  }
});
table.addEventListener('shown', () => {
  if (!status().querySelector('#skip')) {
    hasten(false); // they are done
  }
});
