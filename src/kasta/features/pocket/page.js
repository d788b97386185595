// The page of a table in the pocket. A worker holds the table. The scripts of a table's page know no difference: what
// they fetch of it, and the stream that they open, are answered here.

const place = document.getElementById('pocket');
const { home, site, tableStyle, tableScript, pageScript, worker: address, offline, full, broken } = place.dataset;
const language = document.documentElement.lang;
const PARTS = 'application/vnd.kasta.parts+json';
const BEAT = 15_000;
const LATER = 503;

const worker = new Worker(address);
const waiting = new Map();
const streams = new Set();
let asked = 0;
let table = ''; // the one that is shown

/** Ask the worker. */
function ask(question) {
  asked += 1;
  const id = asked;
  worker.postMessage({ id, language, ...question });
  return new Promise(resolve => waiting.set(id, resolve));
}

worker.addEventListener('message', ({ data }) => {
  waiting.get(data.id)?.(data.answer);
  waiting.delete(data.id);
  for (const stream of data.news?.parts ? streams : []) {
    stream.tell('news', data.news);
  }
  if (data.full) {
    say(full);
  }
});
worker.addEventListener('error', () => say(broken));

/** Say something where the table says it, or above everything. */
function say(text) {
  place.classList.remove('opening');
  const trouble = document.getElementById('trouble') ?? document.getElementById('pocket-trouble');
  trouble.textContent = text;
  trouble.hidden = false;
}

/** A name for a table that nobody guesses. */
function newName() {
  const bytes = crypto.getRandomValues(new Uint8Array(21));
  return `p${btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')}`;
}

/** The address of a table in the pocket. */
const addressOf = name => `${home}?t=${name}`;

/** A stream of news that need no network. */
class PocketStream extends EventTarget {
  static CLOSED = 2;

  constructor() {
    super();
    this.readyState = 1;
    streams.add(this);
    this.timer = setInterval(() => this.tell('beat', null), BEAT);
    setTimeout(() => this.tell('open', null));
  }

  tell(kind, data) {
    this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) }));
  }

  close() {
    clearInterval(this.timer);
    streams.delete(this);
  }
}

/** Which sheet and line a request looks at. */
function looksOf(fields) {
  const seat = fields.get('seat');
  return { seat: /^\d+$/.test(seat ?? '') ? Number(seat) : null, serve: fields.get('serve') };
}

/** What has come of a form, as a server would say it. */
function responseTo(made) {
  if (made.offline) {
    return new Response(offline, { status: 409 });
  }
  if (made.failed || made.refused) {
    return new Response(made.refused ?? full, { status: made.status ?? 409 });
  }
  if (made.moved) {
    const moved = new Response('');
    Object.defineProperties(moved, { redirected: { value: true }, url: { value: addressOf(made.moved) } });
    return moved;
  }
  if (made.text) {
    return new Response(made.text, { headers: { 'content-type': 'text/plain' } });
  }
  return new Response(JSON.stringify(made.news ?? {}), { headers: { 'content-type': PARTS } });
}

/** Answer what a script asks of the table. */
async function respond(path, query, options) {
  const [, , , action = '', about = ''] = path.split('/');
  if (options?.method === 'POST') {
    const fields = [...new URLSearchParams(options.body)];
    if (!FORMS.includes(action)) {
      return new Response(offline, { status: 409 });
    }
    const looks = looksOf(new URLSearchParams(options.body));
    return responseTo(await ask({ ask: 'act', table, action, fields, next: newName(), ...looks }));
  }
  if (action === 'parts') {
    return responseTo(await ask({ ask: 'parts', table, all: true, ...looksOf(query) }));
  }
  if (action === 'ask') {
    const { html } = await ask({ ask: 'confirm', table, action: about, ...looksOf(query) });
    return new Response(html ?? offline, { status: html ? 200 : 404, headers: { 'content-type': 'text/html' } });
  }
  return new Response(offline, { status: LATER });
}

const FORMS = place.dataset.forms.split(' ');
const beyond = fetch.bind(window);

/** Requests of this table stay here. */
window.fetch = (asked, options) => {
  const { pathname, searchParams } = new URL(asked.url ?? asked, location.href);
  return pathname.startsWith(`/t/${table}/`) ? respond(pathname, searchParams, options) : beyond(asked, options);
};

/** Save the record as a file. */
async function saveRecord() {
  const { record } = await ask({ ask: 'record', table });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([record], { type: 'application/jsonl' }));
  link.download = 'kasta.jsonl';
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Follow a link on a site without a server, which has its home page and rules. */
function onSiteLink(event) {
  const link = event.target.closest('a[href^="/"]:not([href^="/t/"])');
  if (!link) {
    return;
  }
  const { pathname } = link;
  if (pathname === '/' || pathname.startsWith('/rules/')) {
    link.href = `${site}${pathname.slice(1)}${pathname === '/' ? '' : '/'}`;
  } else {
    event.preventDefault();
    event.stopImmediatePropagation();
    say(offline);
  }
}

/** Follow a link that leads to a server: here, or with a word about why not. */
function onLink(event) {
  const link = event.target.closest('a[href]');
  const { pathname, origin } = new URL(link?.href ?? location.href);
  if (!link || origin !== location.origin || link.dataset.dialog !== undefined || link.dataset.close !== undefined) {
    return;
  }
  const [, kind, name, what] = pathname.split('/');
  if (kind === 'rules') {
    link.href = pathname; // without the way back to a table that no server knows
  }
  if (kind !== 't' || link.dataset.seat || link.dataset.serve) {
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!what) {
    location.assign(addressOf(name));
  } else if (what === 'record') {
    saveRecord();
  } else {
    say(offline);
  }
}

/** Send a form that would lead to another page. */
async function onSubmit(event) {
  const { target, submitter } = event;
  const action = new URL(submitter?.formAction || target.action, location.href);
  if (target.matches('[data-live]') || !action.pathname.startsWith(`/t/${table}/`)) {
    return;
  }
  event.preventDefault();
  const body = new URLSearchParams(new FormData(target, submitter));
  const answer = await fetch(action, { method: 'POST', body });
  if (answer.redirected) {
    location.assign(answer.url);
  } else if (!answer.ok) {
    say(await answer.text());
  }
}

/** Show a table. Its scripts look for it when they begin. */
async function show(name) {
  table = name;
  const looks = looksOf(new URLSearchParams(location.search));
  const made = await ask({ ask: 'page', table, ...looks });
  if (!made.html) {
    location.replace(home);
    return;
  }
  const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: tableStyle });
  const styled = new Promise(resolve => style.addEventListener('load', resolve, { once: true }));
  document.head.append(style);
  await styled;
  document.documentElement.className = `felt theme-${made.theme}`;
  document.title = `${made.title} · Kasta`;
  const heading = document.createElement('h1');
  heading.textContent = made.heading;
  document.querySelector('header .brand').after(heading);
  place.outerHTML = made.html;
  document.getElementById('table').dataset.slow = ''; // there is no network to be slow
  if (site) {
    document.addEventListener('click', onSiteLink, true);
  }
  document.addEventListener('click', onLink, true);
  document.addEventListener('submit', onSubmit);
  window.EventSource = PocketStream;
  await import(new URL(tableScript, location.href));
}

/** Open a table with the fields of a form. */
async function open(fields) {
  const { game } = Object.fromEntries(fields);
  if (!place.querySelector(`[name=game][value="${CSS.escape(game)}"]`)) {
    say(offline); // a game of others
    await list();
    return;
  }
  const name = newName();
  const made = await ask({ ask: 'open', table: name, fields });
  if (made.refused || made.failed) {
    say(made.refused ?? full);
    return;
  }
  if (!site) {
    localStorage.setItem('kasta-pocket', '1'); // every page looks after such games from now on
  }
  history.replaceState(null, '', addressOf(name));
  await show(name);
}

/** A game that was begun here. */
function running({ table: name, theme, heading, names }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = addressOf(name);
  link.className = `theme-${theme}`;
  const title = document.createElement('strong');
  title.textContent = heading;
  link.append(title, ' ', names);
  item.append(link);
  return item;
}

/** Say that what hints need is here, instead of offering it. */
const sayHere = button => button.replaceWith(button.dataset.here);

/** Get what hints of a game need. */
async function takeAlong(button) {
  button.disabled = true;
  const { here } = await ask({ ask: 'take-along', name: button.dataset.values });
  if (here) {
    sayHere(button);
  } else {
    button.disabled = false;
    say(offline);
  }
}

/** List the games that can be gone on with. */
async function list() {
  await import(new URL(pageScript, location.href));
  const { games = [], values = [] } = await ask({ ask: 'list' });
  for (const button of place.querySelectorAll('[data-values]')) {
    if (values.includes(button.dataset.values)) {
      sayHere(button);
    }
  }
  const open = games.filter(game => !game.over);
  const begun = document.createElement('ul');
  begun.append(...open.map(running));
  const section = document.getElementById('go-on');
  section.append(begun);
  section.hidden = !open.length;
}

const query = new URLSearchParams(location.search);
document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-values]');
  if (button) {
    takeAlong(button);
  }
});
document.addEventListener('submit', event => {
  if (event.target.matches('form[data-pocket]')) {
    event.preventDefault();
    open([...new FormData(event.target, event.submitter)]);
  }
});
place.classList.toggle('opening', query.has('t') || query.has('game')); // nothing else can be chosen meanwhile
if (query.get('t')) {
  show(query.get('t'));
} else if (query.get('game')) {
  open([...query]);
} else {
  list();
}
