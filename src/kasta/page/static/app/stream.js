// The stream of what happens at the table. It is closed in hidden tabs: browsers allow only a few.

import { connection } from './announce.js';
import { onCount, onCrowd, refreshSoon } from './crowd.js';
import { page, status, table } from './dom.js';
import { query } from './look.js';
import { refresh, restart, take } from './parts.js';

const SILENCE = 40_000; // the server lets its heart beat more often than this
const HIDDEN = 5_000; // a short look at another tab closes nothing

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

/** Something happened at the table. */
function onNews(event) {
  const news = JSON.parse(event.data);
  take(news);
  if (news.moved && !hadRematch) {
    location.assign(`/t/${news.moved}`); // the rematch takes everybody along
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
  const shown = `page=${page}&digest=${table.dataset.digest}`;
  source = new EventSource(`${table.dataset.table}/stream?${shown}&${query}`);
  source.addEventListener('open', () => {
    beat();
    restart();
    connection('');
  });
  source.addEventListener('error', onError);
  const handlers = { news: onNews, crowd: onCrowd, count: onCount, stale: refreshSoon };
  for (const [kind, handle] of Object.entries(handlers)) {
    source.addEventListener(kind, event => {
      beat();
      handle(event);
    });
  }
  source.addEventListener('beat', beat);
  source.addEventListener('gone', () => location.assign('/'));
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
