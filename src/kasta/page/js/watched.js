// A stream that lasts for hours: refused, it is asked for again; silent, it is opened anew.

import { connection } from './announce.js';
import { table } from './dom.js';

const SILENCE = 40_000; // the server lets its heart beat more often than this
const LOOK = 5_000;
const PAUSE = 1_000; // and up to twice as much more: many pages do not come back all at once

/** A stream, still closed. Events go to the handler of their kind; `wake` is called when the stream fell silent. */
export function watched({ address, handlers, wake, isWanted = () => true }) {
  let source = null;
  let heardAt = 0;

  /** Close the stream. */
  function close() {
    source?.close();
    source = null;
  }

  /** The stream broke. The browser mends it by itself, unless it was refused. */
  function onError() {
    connection(table.dataset.retry);
    if (source?.readyState === EventSource.CLOSED) {
      close();
      setTimeout(open, PAUSE + Math.random() * 2 * PAUSE);
    }
  }

  /** Hear one kind of event: whatever comes, the server is there. */
  function hear(kind, handle) {
    source.addEventListener(kind, event => {
      heardAt = Date.now();
      handle?.(event);
    });
  }

  /** Open the stream, unless it is open or nobody wants it. */
  function open() {
    if (source || !isWanted()) {
      return;
    }
    heardAt = Date.now();
    source = new EventSource(address());
    source.addEventListener('error', onError);
    hear('beat');
    hear('open', () => connection(''));
    for (const [kind, handle] of Object.entries(handlers)) {
      hear(kind, handle);
    }
  }

  addEventListener('pagehide', close);
  setInterval(() => {
    if (source && Date.now() - heardAt > SILENCE) {
      close();
      wake();
    }
  }, LOOK);
  return { open, close };
}
