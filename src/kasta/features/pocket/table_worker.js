// Tables without a server: our own Python, run by Brython. It takes questions, and gives answers once they hold: what
// happened is in the browser's database before any page shows it.
// Only this worker may make code out of text. The page that asks it may not.

const FILES = '@files@'.split(' '); // Brython, our modules
const TEXTS = JSON.parse('@texts@'); // by language
const VALUES_AT = JSON.parse('@values@'); // by game
const STORE = 'kasta-pocket';
const WORDS = 2 ** 32;
const PRIMES = [2_166_136_261, 3_266_489_917, 16_777_619, 2_246_822_519]; // of the sums of what is shown
const OVERTAKEN = 'overtaken'; // by another page

// Brython asks for the name of the time zone in the browser's language, and fails if that is no language, such as C.
Object.defineProperty(self.navigator, 'language', { value: 'en' });
Error.stackTraceLimit = 0; // Python's errors are made by the hundred, and nobody reads where
self.importScripts(...FILES);

/** A number below another one, each as likely as the next. */
self.kastaRandom = below => {
  const [word] = crypto.getRandomValues(new Uint32Array(1));
  return word < WORDS - (WORDS % below) ? word % below : self.kastaRandom(below);
};
self.kastaParse = text => self.__BRYTHON__.structuredclone2pyobj(JSON.parse(text));
self.kastaQuote = text => JSON.stringify(text);
self.kastaNormalize = (form, text) => text.normalize(form);
self.kastaCategory = character => {
  if (/\p{M}/u.test(character)) {
    return 'M';
  }
  return /\p{C}/u.test(character) ? 'C' : 'L';
};
self.kastaMatch = (pattern, text) => {
  const found = new RegExp(`^(?:${pattern.replaceAll('(?P<', '(?<')})$`, 'u').exec(text);
  const groups = found && { ...found, ...found.groups, length: found.length };
  return JSON.stringify(groups, (_, value) => value ?? null);
};
self.kastaSum = text => {
  let [low, high] = [PRIMES[0], PRIMES[1]];
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    low = Math.imul(low ^ code, PRIMES[2]);
    high = Math.imul(high ^ code, PRIMES[3]) ^ (high >>> 15);
  }
  return (high >>> 11) * WORDS + (low >>> 0);
};
self.kastaSplit = (pattern, text) => JSON.stringify(text.split(new RegExp(`(${pattern})`, 'u')));

/** A request of the database, as a promise. */
const done = request =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** The database: events by table and place, games by table. */
async function openStore() {
  const asked = indexedDB.open(STORE, 1);
  asked.onupgradeneeded = () => {
    asked.result.createObjectStore('events', { keyPath: ['table', 'seq'] });
    asked.result.createObjectStore('games', { keyPath: 'table' });
  };
  const store = await done(asked);
  store.onversionchange = () => {
    store.close(); // it is to be deleted
    opened = null;
    seqs.clear();
  };
  return store;
}

let opened = null;

/** The database, opened once. */
function store() {
  opened ??= openStore();
  return opened;
}

const others = new BroadcastChannel(STORE); // other pages of this device
const spoken = new Set(['en']);
const seqs = new Map(); // of the tables that Python knows: how far each is kept
let looks = {}; // which sheet the page looks at, and in which language
let timer = 0;

/** Ask Python. */
const python = question => JSON.parse(self.kastaAnswer(JSON.stringify(question)));

/** Have the texts of a language. */
async function learn(language) {
  if (!spoken.has(language)) {
    self.kastaLearn(language, await (await fetch(TEXTS[language])).text());
    spoken.add(language);
  }
}

/** Have Python know a table as it is kept. */
async function load(table) {
  const range = IDBKeyRange.bound([table, 0], [table, Infinity]);
  const events = (await store()).transaction('events').objectStore('events');
  const rows = await done(events.getAll(range));
  if (!rows.length) {
    return false;
  }
  python({ ask: 'load', table, bodies: rows.map(row => row.body) });
  seqs.set(table, rows.length);
  return true;
}

/** Have a transaction write events of tables, and what is listed of them. */
function putInto(work, written, language) {
  const now = Date.now();
  for (const [table, bodies] of Object.entries(written)) {
    const first = (seqs.get(table) ?? 0) + 1;
    for (const [place, body] of bodies.entries()) {
      work.objectStore('events').add({ table, seq: first + place, body, at: now });
    }
    const { about } = python({ ask: 'about', table, language });
    const { record, seat, ...listed } = about;
    const games = work.objectStore('games');
    const before = games.get(table);
    before.onsuccess = () => {
      const row = { ...before.result, ...listed, table, touched: now };
      if (record && !row.record) {
        Object.assign(row, { record, seat, finished: now / 1000, told: false });
      }
      games.put(row);
    };
  }
}

/** Write all that, or nothing; meanwhile something else is done. Nobody else may have written the same places. */
async function write(written, language, meanwhile) {
  const open = await store();
  const work = open.transaction(['events', 'games'], 'readwrite', { durability: 'strict' });
  const kept = new Promise((resolve, reject) => {
    work.oncomplete = resolve;
    work.onabort = () => reject(work.error ?? new DOMException('', 'AbortError'));
  });
  kept.catch(() => {}); // told below
  try {
    putInto(work, written, language);
    meanwhile();
  } catch (error) {
    work.abort();
    throw error;
  }
  await kept;
  for (const [table, bodies] of Object.entries(written)) {
    seqs.set(table, (seqs.get(table) ?? 0) + bodies.length);
  }
}

/** Keep what was written, and make news of it while the disk works. What cannot be kept has not happened. */
async function keep({ events, ...answer }, table, language) {
  const makeNews = () => {
    if (answer.done) {
      answer.news = news(table);
    }
  };
  if (!Object.keys(events).length) {
    makeNews();
    return answer;
  }
  try {
    await write(events, language, makeNews);
  } catch (error) {
    for (const each of Object.keys(events)) {
      python({ ask: 'forget', table: each });
      seqs.delete(each);
    }
    return { failed: error.name === 'ConstraintError' ? OVERTAKEN : 'full' };
  }
  for (const each of Object.keys(events)) {
    others.postMessage(each);
  }
  return answer;
}

/** Let the table act by itself when it is time. */
function plan(table) {
  clearTimeout(timer);
  const { seconds, seq } = python({ ask: 'plan', table });
  if (seconds !== null && seconds !== undefined) {
    timer = setTimeout(() => inOrder(() => tick(table, seq)), seconds * 1000);
  }
}

/** What the page does not show yet. */
const news = (table, anew = false) => python({ ...looks, ask: 'parts', table, all: anew }).news;

/** What the table does by itself, for the page. */
async function tick(table, seq) {
  if (!(seqs.has(table) || (await load(table)))) {
    return;
  }
  looks = { language: looks.language };
  const answer = await keep(python({ ask: 'tick', table, seq }), table, looks.language);
  if (answer.failed === 'full') {
    postMessage({ full: true });
    return;
  }
  if (answer.failed) {
    await load(table);
  }
  postMessage({ news: answer.news ?? news(table) });
  plan(table);
}

/** Another page has written: show that. */
async function onOthers(table) {
  if (seqs.has(table)) {
    await load(table);
    postMessage({ news: news(table) });
    plan(table);
  }
}

/** All games that are kept, the last one first. */
async function list() {
  const rows = await done((await store()).transaction('games').objectStore('games').getAll());
  return rows.sort((one, other) => other.touched - one.touched);
}

/** Have what hints of a table need: to be told, or to be switched on, for which it may come from the server. */
async function prepareHints(table, { action, fields }) {
  const isWished = action === 'settings' && fields.some(([key, value]) => key === 'coach' && value === 'live');
  if (!isWished && action !== 'hint') {
    return;
  }
  const { name } = python({ ask: 'values_of', table });
  if (isWished) {
    await self.hintValues.getValues(name, VALUES_AT[name]);
  } else {
    await self.hintValues.unpackValues(name);
  }
}

/** Answer a question of the page. */
async function answer({ ask, ...question }) {
  if (ask === 'list') {
    return { games: await list(), values: [...self.hintValues.names] };
  }
  if (ask === 'take-along') {
    return { here: await self.hintValues.getValues(question.name, VALUES_AT[question.name]) };
  }
  const { table, language, seat = null, serve = null } = question;
  await learn(language);
  if (ask !== 'open' && !seqs.has(table) && !(await load(table))) {
    return { unknown: true };
  }
  looks = { language, seat, serve };
  if (ask === 'act') {
    await prepareHints(table, question);
  }
  let made = await keep(python({ ask, ...question, seat, serve }), table, language);
  if (made.failed === OVERTAKEN && (await load(table))) {
    made = await keep(python({ ask, ...question, seat, serve }), table, language); // decided anew
  }
  if (ask === 'page' || made.done) {
    plan(table);
  }
  return made;
}

self.__BRYTHON__.runPythonSource('import @main@', 'kasta_pocket');

let last = self.hintValues.lookForValues();

/** Do one thing after the other. */
function inOrder(work) {
  last = last.then(work, work);
  return last;
}

addEventListener('message', ({ data: { id, ...question } }) =>
  inOrder(async () => {
    try {
      postMessage({ id, answer: (await answer(question)) ?? {} });
    } catch (error) {
      postMessage({ id, answer: { failed: 'full', why: `${error?.name} ${error?.message}` } });
    }
  }),
);
others.addEventListener('message', ({ data }) => inOrder(() => onOthers(data)));
