// Without a network it says so, and shows rules and own games that were seen. Nothing that is live is ever kept.

const SHELL = 'kasta-shell-@version@'; // what the page for that needs
const RULES = 'kasta-rules';
const MINE = 'kasta-mine'; // pages put them there
const LATER = 'kasta-later'; // pages that need no network, with all that they need
const LISTS = '@later@'.split(' ').filter(Boolean); // addresses that say what is kept there
const BESIDE = LISTS.map(address => address.slice(0, address.lastIndexOf('/') + 1)); // where files of theirs are
const PAUSES = [2_000, 10_000, 30_000]; // ms until what failed is tried again
const OFFLINE = '/offline';
const FILES = '@files@'.split(' ');
const PICTURE = /^\/t\/[\w-]+\/sheet\/\d+\.svg$/;

/** Delete what other versions of this file have kept, and look after pages that are open already. */
async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter(name => ![SHELL, RULES, MINE, LATER].includes(name)).map(name => caches.delete(name)));
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

/** In which language a page is kept. */
const languageOf = async (shelf, path) => (await shelf.match(path))?.headers.get('content-language');

/** Keep what a list says, and nothing older. The page comes last: once it is there, it works. */
async function keepList(address, language) {
  const { page, files, rules = [] } = await (await fetch(address)).json();
  const later = await caches.open(LATER);
  const kept = (await later.keys()).map(({ url }) => url.slice(location.origin.length));
  const isNew = !files.every(file => kept.includes(file));
  const addTo = async (shelf, path) =>
    (isNew || (await languageOf(shelf, path)) !== language) && shelf.add(new Request(path, { cache: 'no-cache' }));
  await Promise.all(files.filter(file => !kept.includes(file)).map(file => later.add(file)));
  await addTo(later, page);
  await later.put(address, await fetch(address));
  const old = kept.filter(file => ![page, address, ...files].includes(file));
  await Promise.all(old.map(file => later.delete(file)));
  const shelf = await caches.open(RULES);
  await Promise.all(rules.map(path => addTo(shelf, path)));
}

/** Do something that needs the network, which comes and goes. */
async function patiently(work) {
  for (const pause of PAUSES) {
    try {
      return await work();
    } catch {
      await new Promise(resolve => setTimeout(resolve, pause));
    }
  }
  return work();
}

/** Whether a page stands in for an address while there is no network. */
const standsFor = (path, { page, for: others }) =>
  path === page || others.some(other => path === other || (other !== '/' && path.startsWith(`${other}/`)));

/** The address of the page that stands in for another one, if it is kept. */
async function standIn(path) {
  const later = await caches.open(LATER);
  for (const address of LISTS) {
    const list = await (await later.match(address))?.json();
    if (list && standsFor(path, list) && (await later.match(list.page))) {
      return list.page;
    }
  }
  return null;
}

/** A form that opens a game; without a network it opens in the page that stands in. */
async function open(request) {
  const copy = request.clone();
  try {
    return await fetch(request);
  } catch {
    const { pathname } = new URL(request.url);
    const page = await standIn(pathname);
    if (!page) {
      return (await caches.match(OFFLINE, { cacheName: SHELL })) || Response.error();
    }
    const fields = new URLSearchParams(await copy.formData());
    if (!fields.has('game')) {
      fields.set('game', pathname.split('/').at(-1));
    }
    return Response.redirect(`${page}?${fields}`, 303);
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
    const page = await standIn(pathname);
    return (
      seen ||
      (page && (await caches.match(page, { cacheName: LATER }))) ||
      (await caches.match(OFFLINE, { cacheName: SHELL })) ||
      Response.error()
    );
  }
}

/** A file of ours, which never changes. */
async function file(request) {
  const kept = await caches.match(request, { cacheName: SHELL });
  return kept ?? (await caches.match(request, { cacheName: LATER })) ?? fetch(request);
}

/** A picture of an own game that is over. */
async function picture(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request, { cacheName: MINE })) ?? Response.error();
  }
}

/** Show a notice, or take it away: browsers want something to be shown for each push. */
async function notify({ tag, title, text, address, icon, withdraw }) {
  const { registration } = self;
  await registration.showNotification(title, { tag, body: text, icon, data: { address }, silent: Boolean(withdraw) });
  if (withdraw) {
    for (const each of await registration.getNotifications({ tag })) {
      each.close();
    }
  }
  await count();
}

/** The app's badge says how many notices there are. */
async function count() {
  const { length } = await self.registration.getNotifications();
  await (length ? navigator.setAppBadge?.(length) : navigator.clearAppBadge?.());
}

/** Who looks at a page has seen what its notices said. */
async function takeSeen(page) {
  const shown = await self.registration.getNotifications();
  const seen = shown.filter(({ data }) => data?.address === new URL(page.url).pathname);
  for (const each of seen) {
    each.close();
  }
  if (seen.length) {
    await count();
  }
}

/** Show the page that a notice leads to: where it is open already, or else in a new window. */
async function follow(address) {
  const { href } = new URL(address ?? '/', location.origin);
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = pages.find(({ url }) => url.split(/[?#]/)[0] === href);
  await (open ? open.focus() : clients.openWindow(href));
}

/** The browser has another subscription now: let the server know it instead of the one before. */
async function renew({ newSubscription, oldSubscription }) {
  const options = oldSubscription?.options;
  const now = newSubscription ?? (options && (await self.registration.pushManager.subscribe(options)));
  if (now) {
    const { endpoint, keys } = now.toJSON();
    await fetch('/notices/renew', { method: 'POST', body: new URLSearchParams({ endpoint, ...keys }) });
  }
}

addEventListener('push', event => event.waitUntil(notify(event.data.json())));
addEventListener('notificationclick', event => {
  event.notification.close();
  event.waitUntil(follow(event.notification.data?.address));
});
addEventListener('pushsubscriptionchange', event => event.waitUntil(renew(event)));
addEventListener('install', event => {
  skipWaiting();
  event.waitUntil(caches.open(SHELL).then(shell => shell.addAll([OFFLINE, ...FILES])));
});
addEventListener('activate', event => event.waitUntil(takeOver()));
addEventListener('message', event => {
  const { language, isLater } = event.data;
  const work = isLater ? LISTS.map(address => patiently(() => keepList(address, language))) : [speak(language)];
  event.waitUntil(Promise.all(work).catch(() => {}));
  if (!isLater) {
    event.waitUntil(takeSeen(event.source).catch(() => {}));
  }
});

// Streams, forms and all else are none of its business.
addEventListener('fetch', event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) {
    return;
  }
  if (request.method === 'POST' && request.mode === 'navigate' && LISTS.length) {
    event.respondWith(open(request));
  }
  if (request.method !== 'GET') {
    return;
  }
  if (request.mode === 'navigate') {
    event.respondWith(visit(event));
  } else if (pathname.startsWith('/static/') || BESIDE.some(folder => pathname.startsWith(folder))) {
    event.respondWith(file(request));
  } else if (PICTURE.test(pathname)) {
    event.respondWith(picture(request));
  }
});
