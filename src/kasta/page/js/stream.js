// The stream of what happens at the table. It is closed in hidden tabs: browsers allow only a few.

import { connection } from './announce.js';
import { onCount, onCrowd, refreshSoon } from './crowd.js';
import { page, status, table, tell } from './dom.js';
import { query } from './look.js';
import { refresh, restart, take } from './parts.js';
import { watched } from './watched.js';

const HIDDEN = 5_000; // a short look at another tab closes nothing

const hadRematch = status().querySelector('a.button') !== null;

/** Something happened at the table. */
function onNews(event) {
  const news = JSON.parse(event.data);
  take(news);
  if (news.moved && !hadRematch) {
    location.assign(`/t/${news.moved}`); // the rematch takes everybody along
  }
}

const stream = watched({
  address: () => `${table.dataset.table}/stream?page=${page}&digest=${table.dataset.digest}&${query}`,
  handlers: {
    open: restart,
    news: onNews,
    crowd: onCrowd,
    count: onCount,
    stale: refreshSoon,
    signal: event => tell('signal', JSON.parse(event.data)),
    gone: () => location.assign('/'),
  },
  wake,
  isWanted: () => !document.hidden,
});

/** Open the stream again, and fetch what was missed. */
function wake() {
  stream.open();
  refresh();
}

/** Keep the page up to date from now on. */
export function live() {
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      setTimeout(() => document.hidden && stream.close(), HIDDEN);
    } else {
      wake();
    }
  });
  addEventListener('pageshow', event => (event.persisted ? wake() : stream.open()));
  addEventListener('online', wake);
  addEventListener('offline', () => connection(table.dataset.retry));
  stream.open();
}
