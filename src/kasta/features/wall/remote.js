// The remote: each button is sent once, and what became of it is seen by the stream.

import { refuse } from 'kasta/announce.js';
import { table } from 'kasta/dom.js';
import { mirror } from './mirror.js';
import 'kasta/page.js';

const ANSWER = { accept: 'application/vnd.kasta.parts+json' };

/** Send a form, and say if it was refused. */
async function press(form) {
  try {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(form.action, { method: 'POST', body, headers: ANSWER });
    refuse(answer.ok ? '' : await answer.text());
  } catch {
    refuse(table.dataset.retry);
  }
}

document.addEventListener('submit', async event => {
  const form = event.target.closest('#board form');
  if (!form) {
    return;
  }
  event.preventDefault();
  if (!form.dataset.sent) {
    form.dataset.sent = '1';
    await press(form);
    delete form.dataset.sent;
  }
});
mirror((_, show) => show());
