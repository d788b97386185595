// Forms are sent without reloading. What cannot be sent now stays visibly pending, and is sent later or refused aloud.

import { connection, refuse } from './announce.js';
import { ask } from './dialog.js';
import { table } from './dom.js';
import { keepPending, pendingPicks } from './kept.js';
import { query } from './look.js';
import { PARTS, refresh, take } from './parts.js';
import { follow } from './tabs.js';
import { play } from './taps.js';

const LATER = [502, 503, 504];
const waiting = [];
let isSending = false;

/** The table did what was asked. */
async function accepted(job, answer) {
  job.form.reset();
  const kind = answer.headers.get('content-type');
  if (kind.startsWith('text/plain')) {
    refuse(await answer.text()); // the answer to a question
    return;
  }
  if (kind.startsWith('text/html')) {
    ask(await answer.text());
    return;
  }
  refuse('');
  query.delete('serve');
  take(await answer.json());
  follow(job.form);
}

/** Send one form, and show what the server says to it. */
async function send(job) {
  const answer = await fetch(job.action, { method: 'POST', body: job.body, headers: PARTS });
  if (LATER.includes(answer.status)) {
    throw new Error(answer.status);
  }
  job.mark?.classList.remove('pending');
  job.mark = null;
  if (answer.redirected) {
    location.assign(answer.url);
  } else if (answer.ok) {
    await accepted(job, answer);
  } else {
    refuse(await answer.text());
    refresh();
  }
}

/** Have picks survive the page: they are sent when it is opened again. */
function save() {
  const picks = waiting.filter(job => job.action.endsWith('/play'));
  keepPending(
    table.dataset.table,
    picks.map(job => [job.action, String(job.body)]),
  );
}

/** Whether a pick was written already, although the page was closed before it heard so. */
function isWritten(body) {
  const now = new FormData(play() ?? undefined);
  return ['turn', 'seat'].every(key => now.get(key) === body.get(key)) && now.get('step') !== body.get('step');
}

/** Send what the page that was closed could not. */
function restore() {
  for (const [action, text] of pendingPicks(table.dataset.table)) {
    const body = new URLSearchParams(text);
    const button = document.querySelector(`#mine button[value="${CSS.escape(body.get('do'))}"]`);
    const mark = button?.closest('.cell, .block tr');
    if (!isWritten(body)) {
      mark?.classList.add('pending');
      waiting.push({ action, body, mark, form: play() ?? document.createElement('form') });
    }
  }
  save();
  flush();
}

/** Send all that waits, in order. */
async function flush() {
  if (isSending) {
    return;
  }
  isSending = true;
  try {
    while (waiting.length) {
      await send(waiting[0]);
      waiting.shift();
      save();
    }
  } catch {
    connection(`${table.dataset.retry} ${table.dataset.pending}`);
    setTimeout(flush, 2000);
  } finally {
    isSending = false;
  }
}

/** Forget what the same form wanted before, if it is not on its way yet: a pick moves. */
function forget(form) {
  const earlier = isSending ? -1 : waiting.findIndex(job => job.form === form);
  if (earlier >= 0) {
    waiting.splice(earlier, 1)[0].mark?.classList.remove('pending');
  }
}

document.addEventListener('submit', event => {
  const form = event.target;
  if (!form.matches('form[data-live]')) {
    return;
  }
  event.preventDefault();
  const data = new FormData(form, event.submitter);
  const isOther = event.submitter?.hasAttribute('formaction'); // such as taking back
  if (!isOther && !data.get('do') && form.elements.do) {
    return;
  }
  const mark = event.submitter?.closest('.cell, .block tr');
  forget(form);
  mark?.classList.add('pending');
  waiting.push({
    action: isOther ? event.submitter.formAction : form.action,
    body: new URLSearchParams(data),
    mark,
    form,
  });
  save();
  flush();
});

document.addEventListener('change', event => {
  event.target.closest('form[data-now]')?.requestSubmit(); // choosing is enough
});

table.addEventListener('shown', () => {
  for (const job of waiting) {
    job.mark?.classList.add('pending');
  }
});
document.addEventListener('visibilitychange', () => document.hidden || flush());
addEventListener('online', flush);
restore();
