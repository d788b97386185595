// The coach points at the sheet itself: a ring on the cell, the box or the dice, and a sentence below it.

import { announce } from './announce.js';
import { table } from './dom.js';
import { play } from './taps.js';

const note = document.getElementById('advice');
let pointed = null; // at what, and for which decision

/** The decision that is open now. */
const decision = () => String(new URLSearchParams(new FormData(play() ?? undefined)));

/** Draw the rings: parts of the page may be new. */
function ring() {
  for (const id of pointed?.places ?? []) {
    document.getElementById(id)?.closest('td, tr, .spot, button')?.classList.add('pointed');
  }
}

/** Once it is decided, nothing points there any more. */
function clear() {
  pointed = null;
  note.hidden = true;
  for (const each of document.querySelectorAll('.pointed')) {
    each.classList.remove('pointed');
  }
}

/** Show what the coach says, if it is still asked. */
function showAdvice(html, asked) {
  if (pointed?.decision !== asked) {
    return;
  }
  note.innerHTML = html;
  const { places, say } = note.querySelector('[data-places]').dataset;
  pointed.places = places.split(' ');
  ring();
  announce(say);
}

/** Say something in the place of advice. */
function say(text) {
  const line = document.createElement('p');
  line.textContent = text;
  note.replaceChildren(line);
}

/** Ask the coach. Its note is there at once: nothing comes under a finger later. */
async function askCoach(form, button) {
  clear();
  const asked = decision();
  pointed = { decision: asked };
  note.hidden = false;
  say(button.dataset.thinking);
  note.scrollIntoView({ block: 'nearest' });
  try {
    const body = new URLSearchParams(new FormData(form, button));
    const headers = { accept: 'application/vnd.kasta.parts+json' };
    const answer = await fetch(button.formAction, { method: 'POST', body, headers });
    const text = await answer.text();
    if (answer.ok) {
      showAdvice(text, asked);
    } else {
      say(text);
      announce(text);
    }
  } catch {
    say(table.dataset.retry);
  }
}

document.addEventListener(
  'submit',
  event => {
    if (event.submitter?.id === 'hint') {
      event.preventDefault();
      event.stopImmediatePropagation();
      askCoach(event.target, event.submitter);
    }
  },
  true,
);

table.addEventListener('shown', () => {
  if (pointed && decision() !== pointed.decision) {
    clear();
  } else {
    ring();
  }
});
table.addEventListener('thrown', clear);
