// Forms are sent without reloading. What cannot be sent now stays visibly pending, and is sent later or refused aloud.

import { connection, refuse } from './announce.js';
import { ask } from './dialog.js';
import { table } from './dom.js';
import { keepPending, pendingPicks } from './kept.js';
import { query } from './look.js';
import { inOrder } from './news.js';
import { PARTS, refresh, take } from './parts.js';
import { rubOut, sketch, sketchAgain } from './pencil.js';
import { follow } from './tabs.js';
import { play } from './taps.js';
import { goBack, isThrow, leave } from './throws.js';

const LATER = [502, 503, 504];
const RETRY = 2_000;
const waiting = [];
let isSending = false;

/** The table did what was asked. */
async function accepted(job, answer) {
  if (!job.isThrow) {
    job.form.reset(); // ticks on dice stay while the others fly
  }
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
  inOrder(() => follow(job.form));
}

/** Send one form, and show what the server says to it. */
async function send(job) {
  const answer = await fetch(job.action, { method: 'POST', body: job.body, headers: PARTS, signal: job.signal });
  if (LATER.includes(answer.status)) {
    throw new Error(answer.status);
  }
  if (answer.redirected) {
    location.assign(answer.url);
  } else if (answer.ok) {
    await accepted(job, answer);
  } else if (job.isThrow) {
    const why = await answer.text();
    await refresh();
    goBack(why); // unless it fell all the same: what was asked for twice is no error
  } else {
    refuse(await answer.text(), job.mark);
    refresh();
  }
  inOrder(() => unmark(job));
}

/** Show on the sheet that a pick is on its way, and what it writes. */
function mark(button) {
  const place = button?.closest('.cell, .block tr');
  place?.classList.add('pending');
  if (place) {
    sketch(button);
  }
  return place;
}

/** A pick is no longer on its way. */
function unmark(job) {
  if (job.mark) {
    job.mark.classList.remove('pending');
    rubOut(job.mark);
    job.mark = null;
  }
}

/** Have picks survive the page: they are sent when it is opened again. */
function save() {
  const picks = waiting.filter(job => job.action.endsWith('/play') && !job.isThrow);
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
    if (!isWritten(body)) {
      waiting.push({ action, body, mark: mark(button), form: play() ?? document.createElement('form') });
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
    if (waiting.length && !waiting[0].isThrow) {
      connection(`${table.dataset.retry} ${table.dataset.pending}`);
    }
    setTimeout(flush, RETRY);
  } finally {
    isSending = false;
  }
}

/** Send something when all before it is sent. */
function enqueue(job) {
  waiting.push(job);
  save();
  flush();
}

/** Throw: the dice leave at once, and go back if nobody answers. */
function sendThrow(form, data) {
  const given = new AbortController();
  const job = { action: form.action, body: new URLSearchParams(data), form, isThrow: true, signal: given.signal };
  leave(() => {
    waiting.splice(0, waiting.length, ...waiting.filter(each => each !== job));
    given.abort();
  });
  enqueue(job);
}

/** Forget what the same form wanted before, if it is not on its way yet: a pick moves. */
function forget(form) {
  const earlier = isSending ? -1 : waiting.findIndex(job => job.form === form);
  if (earlier >= 0) {
    unmark(waiting.splice(earlier, 1)[0]);
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
  if (isThrow(form)) {
    sendThrow(form, data);
    return;
  }
  forget(form);
  const action = isOther ? event.submitter.formAction : form.action;
  enqueue({ action, body: new URLSearchParams(data), mark: mark(event.submitter), form });
});

document.addEventListener('change', event => {
  event.target.closest('form[data-now]')?.requestSubmit(); // choosing is enough
});

table.addEventListener('shown', () => {
  for (const job of waiting) {
    job.mark?.classList.add('pending');
  }
  sketchAgain();
});
document.addEventListener('visibilitychange', () => document.hidden || flush());
addEventListener('online', flush);
restore();
