// The parts of the page that change: fetched from the server, and put in the place of those before.

import { announce, connection, refuse } from './announce.js';
import { thrown } from './dice.js';
import { dice, status, table, tell } from './dom.js';
import { query } from './look.js';
import { morph } from './morph.js';

export const PARTS = { accept: 'text/vnd.kasta.parts' };

let heardOf = Number(table.dataset.seq);
let corrected = status().dataset.corrected;
let fetching = null;
let isAsked = false;

/** The number of the last event that is heard of or shown. */
export const newest = () => Math.max(heardOf, status().dataset.seq);

/** The number of the last event that the stream told of. */
export const lastHeard = () => heardOf;

/** Remember that an event has happened. */
export function hear(seq) {
  heardOf = Math.max(heardOf, seq);
}

/** The sentence that says whose turn it is. */
const sentence = () => table.querySelector('.say strong')?.textContent;

/** Put parts into their places. */
function replaceParts(parts) {
  for (const part of [...parts]) {
    const old = part.id && document.getElementById(part.id);
    if (old) {
      morph(old, part);
    }
  }
}

/** Say what is new: a throw, or whose turn it is. */
function tellChange(turn, said) {
  if (dice().dataset.turn !== turn) {
    thrown();
  } else if (sentence() !== said) {
    announce(sentence());
  }
  if (status().dataset.corrected !== corrected) {
    corrected = status().dataset.corrected;
    refuse(corrected ? table.dataset.corrected : '');
  }
}

/** Show new parts. False if they were overtaken on their way: what is past is not shown again. */
export function show(html) {
  const page = new DOMParser().parseFromString(html, 'text/html');
  if (Number(page.getElementById('status').dataset.seq) < newest()) {
    return false;
  }
  const wasOver = status().dataset.phase === 'over';
  const turn = dice().dataset.turn;
  const said = sentence();
  const focus = table.contains(document.activeElement) ? document.activeElement : null;
  replaceParts(page.body.children);
  document.title = `${status().dataset.title} · Kasta`;
  tellChange(turn, said);
  if (focus && (!focus.isConnected || focus.disabled)) {
    status().focus({ preventScroll: true }); // the next stop is what is to do now
  }
  tell('shown', { isEnd: status().dataset.phase === 'over' && !wasOver });
  return true;
}

/** Fetch the parts once. */
async function fetchParts() {
  try {
    const answer = await fetch(`${table.dataset.table}/parts?${query}`, { headers: PARTS });
    if (answer.ok) {
      show(await answer.text());
      connection('');
    } else if (answer.status === 404) {
      location.reload();
    }
  } catch {
    connection(table.dataset.retry);
  }
}

/** Fetch until nothing newer was asked for meanwhile. */
async function fetchAll() {
  while (isAsked) {
    isAsked = false;
    await fetchParts();
  }
  fetching = null;
}

/** Fetch and show the parts, one request at a time. */
export function refresh() {
  isAsked = true;
  fetching ??= fetchAll();
  return fetching;
}
