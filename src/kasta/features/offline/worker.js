// Without a network it says so, and shows rules and own games that were seen. Nothing that is live is ever kept.

const SHELL = 'kasta-shell-@version@'; // what the page for that needs
const RULES = 'kasta-rules';
const MINE = 'kasta-mine'; // pages put them there
const OFFLINE = '/offline';
const FILES = '@files@'.split(' ');
const PICTURE = /^\/t\/[\w-]+\/sheet\/\d+\.svg$/;

/** Delete what other versions of this file have kept, and look after pages that are open already. */
async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter(name => ![SHELL, RULES, MINE].includes(name)).map(name => caches.delete(name)));
  await clients.claim();
}

/** Have the page for that in the language that is read now. */
async function speak(language) {
  const shell = await caches.open(SHELL);
  const said = await shell.match(OFFLINE);
  if (said?.headers.get('content-language') !== language) {
    await shell.add(OFFLINE);
  }
}

/** Keep a rules page without the way back to a game. */
async function keepRules(path) {
  await (await caches.open(RULES)).add(path);
}

/** A page from the network; without one, rules that were seen, or the page that says so. */
async function visit(event) {
  const { pathname } = new URL(event.request.url);
  const isRules = pathname.startsWith('/rules/');
  try {
    const answer = await fetch(event.request);
    if (isRules && answer.ok) {
      event.waitUntil(keepRules(pathname).catch(() => {}));
    }
    return answer;
  } catch {
    const seen = isRules && (await caches.match(pathname, { cacheName: RULES }));
    return seen || (await caches.match(OFFLINE, { cacheName: SHELL })) || Response.error();
  }
}

/** A file of ours, which never changes. */
async function file(request) {
  return (await caches.match(request, { cacheName: SHELL })) ?? fetch(request);
}

/** A picture of an own game that is over. */
async function picture(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request, { cacheName: MINE })) ?? Response.error();
  }
}

addEventListener('install', event => {
  skipWaiting();
  event.waitUntil(caches.open(SHELL).then(shell => shell.addAll([OFFLINE, ...FILES])));
});
addEventListener('activate', event => event.waitUntil(takeOver()));
addEventListener('message', event => event.waitUntil(speak(event.data).catch(() => {})));

// Streams, forms and all else are none of its business.
addEventListener('fetch', event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) {
    return;
  }
  if (request.mode === 'navigate') {
    event.respondWith(visit(event));
  } else if (pathname.startsWith('/static/')) {
    event.respondWith(file(request));
  } else if (PICTURE.test(pathname)) {
    event.respondWith(picture(request));
  }
});
