// The stream of what happens at the table. It is closed in hidden tabs: browsers allow only a few.

import { connection } from './announce.js';
import { thrown } from './dice.js';
import { dice, status, table } from './dom.js';
import { morph } from './morph.js';
import { hear, lastHeard, newest, refresh } from './parts.js';

const SILENCE = 40_000; // the server lets its heart beat more often than this
const HIDDEN = 5_000; // a short look at another tab closes nothing
const CROWD = 1_500; // many phones do not ask all at once

const hadRematch = status().querySelector('a.button') !== null;
let source = null;
let heardAt = 0;

/** The server is there. */
function beat() {
  heardAt = Date.now();
}

/** Close the stream. */
function close() {
  source?.close();
  source = null;
}

/** Show dice at once, before the rest is fetched. */
function showThrow({ turn, dice: html }, seq) {
  if (seq >= newest() && Number(dice().dataset.turn) !== turn) {
    morph(dice(), new DOMParser().parseFromString(html, 'text/html').body.firstElementChild);
    thrown();
  }
}

/** Something happened at the table. */
function onNews(event) {
  const news = JSON.parse(event.data);
  const seq = Number(event.lastEventId);
  beat();
  showThrow(news, seq);
  hear(seq);
  if (news.moved && !hadRematch) {
    location.assign(`/t/${news.moved}`); // the rematch takes everybody along
  } else if (news.crowd) {
    setTimeout(refresh, Math.random() * CROWD);
  } else {
    refresh();
  }
}

/** The stream broke. The browser mends it by itself, unless it was refused. */
function onError() {
  connection(table.dataset.retry);
  if (source?.readyState === EventSource.CLOSED) {
    close();
    setTimeout(open, 1000 + Math.random() * 2000);
  }
}

/** Open the stream, unless it is open or nobody looks. */
function open() {
  if (source || document.hidden) {
    return;
  }
  beat();
  source = new EventSource(`${table.dataset.table}/stream?after=${lastHeard()}`);
  source.addEventListener('open', () => {
    beat();
    connection('');
  });
  source.addEventListener('error', onError);
  source.addEventListener('beat', beat);
  source.addEventListener('gone', () => location.assign('/'));
  source.addEventListener('news', onNews);
}

/** Open the stream again, and fetch what was missed. */
function wake() {
  open();
  refresh();
}

/** Keep the page up to date from now on. */
export function live() {
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      setTimeout(() => document.hidden && close(), HIDDEN);
    } else {
      wake();
    }
  });
  addEventListener('pagehide', close);
  addEventListener('pageshow', event => (event.persisted ? wake() : open()));
  addEventListener('online', wake);
  setInterval(() => {
    if (source && Date.now() - heardAt > SILENCE) {
      close();
      wake();
    }
  }, 5000);
  open();
}
