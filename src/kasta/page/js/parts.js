// The parts of the page that change. The server sends what differs from what is shown, in numbered steps.

import { announce, connection, refuse } from './announce.js';
import { hurry, thrown } from './dice.js';
import { dice, page, status, table, tell } from './dom.js';
import { query } from './look.js';
import { morph } from './morph.js';
import { hold, inOrder, isBehind } from './news.js';
import { receipts } from './receipts.js';
import { arm } from './taps.js';
import { arrive } from './throws.js';

export const PARTS = { accept: 'application/vnd.kasta.parts+json', 'x-kasta-page': page };
const PATIENCE = 1000; // for a step that was overtaken by the next

let corrected = status().dataset.corrected;
let fetching = null;
let asking = null;
let isAsked = false;
let next = 1;
let answers = 0; // that have no number, and so no order
const early = new Map();

/** The sentence that says whose turn it is. */
const sentence = () => table.querySelector('.say strong')?.textContent;

/** What somebody else has just filled, after whose turn another one throws. */
const filled = () => document.querySelector('#status.lying .hint')?.textContent ?? '';

/** A part as an element. */
function read(html) {
  const box = document.createElement('template'); // takes a cell without its table, but nothing beside it
  box.innerHTML = html;
  return box.content.firstElementChild;
}

/** Put a part into the place of the one before. */
function replacePart(part) {
  const old = document.getElementById(part.id);
  if (old) {
    morph(old, part);
  }
}

/** Say what is new: a throw, or what came of an act, one's own or another's, and whose turn it is. */
function tellChange(turn, said, heard) {
  const news = receipts();
  if (filled() && filled() !== heard) {
    news.push(filled().replace(/[^.!?]$/, '$&.'));
  }
  if (sentence() !== said) {
    news.push(sentence());
  }
  if (dice().dataset.turn !== turn) {
    thrown();
  } else if (news.length) {
    announce(news.join(' '));
  }
  if (status().dataset.corrected !== corrected) {
    corrected = status().dataset.corrected;
    refuse(corrected ? table.dataset.corrected : '');
  }
}

/** Let the tray have the focus, or at the end what comes after it: the next stop is what is to do now. */
function focusNext() {
  const place = document.querySelector('#over:not([hidden])') ?? status();
  if (document.activeElement !== place) {
    place.focus({ preventScroll: true });
  }
}

/** Whether the tray is about to lose an element. While it is there, taking the focus from it costs no layout. */
function isLeaving(element, parts) {
  const tray = status().contains(element) && parts.find(part => part.id === 'status');
  return Boolean(tray && element.id) && !tray.querySelector(`#${CSS.escape(element.id)}`);
}

/** Show new parts, now. */
export function showNow(parts) {
  const wasOver = status().dataset.phase === 'over';
  const turn = dice().dataset.turn;
  const said = sentence();
  const heard = filled();
  const focus = table.contains(document.activeElement) ? document.activeElement : null;
  if (focus && isLeaving(focus, parts)) {
    focusNext();
  }
  parts.forEach(replacePart);
  arm();
  document.title = `${status().dataset.title} · Kasta`;
  tellChange(turn, said, heard);
  const isEnd = status().dataset.phase === 'over' && !wasOver;
  if (focus && (!focus.isConnected || focus.disabled || (isEnd && status().contains(focus)))) {
    focusNext();
  }
  tell('shown', { isEnd });
}

/** Have parts shown once the dice lie that they tell of: a step of what is done in order. */
export function present(html, showParts = showNow) {
  const parts = html.map(read);
  const flight = arrive(parts.find(part => part.id === 'status')?.querySelector('#dice'));
  if (flight) {
    hold(flight, () => showParts(parts));
  } else {
    showParts(parts);
  }
}

/** Show new parts, after all that came before them. */
function show(html) {
  inOrder(() => present(html));
  if (isBehind()) {
    hurry();
  }
}

/** Show what the server sent, when all steps before it are shown. */
function showStep(news) {
  next = news.number + 1;
  table.dataset.digest = news.digest;
  for (const number of early.keys()) {
    if (number < next) {
      early.delete(number);
    }
  }
  show(news.parts);
  const following = early.get(next);
  if (following) {
    showStep(following);
  }
}

/** Whether a step that should have come before is still missing: then all is asked for anew. */
function missed({ number }) {
  if (early.has(number)) {
    asking?.abort();
    refresh();
  }
}

/** Take what the server sent, by the stream or as an answer. */
export function take(news) {
  if (!news.parts) {
    return;
  }
  if (!news.number) {
    answers += 1;
    show(news.parts); // a crowd's answer, or all that there is while no stream is open
  } else if (news.number === next || (news.all && news.number > next)) {
    showStep(news);
  } else if (news.number > next) {
    early.set(news.number, news);
    setTimeout(missed, PATIENCE, news);
  }
}

/** A new stream counts from one. */
export function restart() {
  next = 1;
  early.clear();
}

/** Fetch the parts once. */
async function fetchParts() {
  asking = new AbortController();
  const { signal } = asking;
  const before = answers;
  try {
    const answer = await fetch(`${table.dataset.table}/parts?${query}`, { headers: PARTS, signal });
    if (answer.ok) {
      const news = await answer.json();
      if (answers === before) {
        take(news);
      } else {
        isAsked = true; // a post was answered meanwhile: this may be from before it
      }
      connection('');
    } else if (answer.status === 404) {
      location.reload();
    }
  } catch {
    connection(signal.aborted ? '' : table.dataset.retry);
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

/** Fetch and show all parts, one request at a time. */
export function refresh() {
  isAsked = true;
  fetching ??= fetchAll();
  return fetching;
}
