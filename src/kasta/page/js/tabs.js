// Own sheets are tabs, and lines are begun by tapping their box.

import { currentTab } from './dom.js';
import { look, query } from './look.js';
import { refresh } from './parts.js';

/** Once a sheet is done, the next one that is not comes up. */
export function follow(form) {
  const now = currentTab();
  if (!now || form.id !== 'play') {
    return;
  }
  if (document.querySelector('.tabs .due') && !now.querySelector('.due')) {
    look();
    refresh();
  } else {
    look(now.dataset.seat);
  }
}

document.addEventListener('click', event => {
  const link = event.target.closest('[data-seat], [data-serve]');
  if (!link) {
    return;
  }
  event.preventDefault();
  if (link.dataset.seat) {
    look(link.dataset.seat);
  } else {
    query.set('serve', link.dataset.serve);
  }
  refresh();
});
