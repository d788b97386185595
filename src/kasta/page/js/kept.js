// What this device keeps for the time without a network: its last games, rules that were seen, picks not sent yet;
// and which games were begun here, by whom.

const CACHES = ['kasta-mine', 'kasta-rules']; // the second is the worker's
const GAMES = 'kasta-games';
const BEGUN = 'kasta-begun';
const NAMES = 'kasta-names';
const PENDING = 'kasta-pending';
const POCKET = 'kasta-pocket'; // games that need no network: that there are some, and the name of their database
const KEYS = [GAMES, BEGUN, NAMES, PENDING, POCKET];
const MOST = 6;

/** Something that was kept as text. */
const read = key => JSON.parse(localStorage.getItem(key) ?? '[]');

/** The last games, newest first: what is said of each, and the address of its picture. */
export const lastGames = () => read(GAMES);

/** Keep a game that is over, with its picture. Where there is none, as without a server, it is not kept. */
export async function keepGame(text, picture) {
  const before = lastGames();
  if (!('caches' in window) || before.some(game => game.picture === picture)) {
    return;
  }
  const answer = await fetch(picture);
  if (!answer.ok) {
    return;
  }
  const games = [{ text, picture }, ...before];
  localStorage.setItem(GAMES, JSON.stringify(games.slice(0, MOST)));
  const pictures = await caches.open(CACHES[0]);
  await Promise.all(games.slice(MOST).map(game => pictures.delete(game.picture)));
  await pictures.put(picture, answer);
}

/** Whether a game was never begun here. */
export const isNew = game => !read(BEGUN).includes(game);

/** Remember that it was. */
export function keepBegun(game) {
  if (isNew(game)) {
    localStorage.setItem(BEGUN, JSON.stringify([...read(BEGUN), game]));
  }
}

/** The names that were typed here, newest first. */
export const keptNames = () => read(NAMES);

/** Keep names with those before. */
export function keepNames(names) {
  const all = new Set([...names.filter(Boolean), ...keptNames()]);
  if (all.size) {
    localStorage.setItem(NAMES, JSON.stringify([...all].slice(0, MOST)));
  }
}

/** The picks of a table that were not sent yet. */
export const pendingPicks = where => read(`${PENDING} ${where}`);

/** Keep them until they are sent, also when the page is closed. */
export function keepPending(where, picks) {
  if (picks.length) {
    localStorage.setItem(`${PENDING} ${where}`, JSON.stringify(picks));
  } else {
    localStorage.removeItem(`${PENDING} ${where}`);
  }
}

/** The rules pages that can be read without a network. */
export async function keptRules() {
  const kept = 'caches' in window ? await (await caches.open(CACHES[1])).keys() : [];
  return kept.map(request => new URL(request.url).pathname);
}

/** Keep nothing of all that any longer. */
export async function forgetAll() {
  for (const key of Object.keys(localStorage).filter(each => KEYS.some(kept => each.startsWith(kept)))) {
    localStorage.removeItem(key);
  }
  window.indexedDB?.deleteDatabase(POCKET);
  window.indexedDB?.deleteDatabase(`${POCKET}-values`);
  if ('caches' in window) {
    await Promise.all(CACHES.map(name => caches.delete(name)));
  }
}
