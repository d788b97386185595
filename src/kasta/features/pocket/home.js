// Games that were played without a network: those that are over are told to the server, the others can be gone on with.
// Every page loads this on a device on which there are any.

const PLAYED = 'kasta-pocket'; // the database
const OVER = 400; // from here on, what a server says is final
const LATER = [401, 403, 408, 429];

/** A request of the database, as a promise. */
const done = request =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** The games of this device, with the store that has them. */
async function openGames() {
  const asked = indexedDB.open(PLAYED);
  asked.onupgradeneeded = () => asked.transaction.abort(); // there are none
  const store = await done(asked);
  const games = await done(store.transaction('games').objectStore('games').getAll());
  return { store, games };
}

/** Tell the server one game. Whether it need not be told again. */
async function tellGame({ table, record, finished, seat }) {
  const body = JSON.stringify({ id: table, record, finished, seat });
  const headers = { 'content-type': 'application/json' };
  const { ok, status } = await fetch('/api/pocket/games', { method: 'POST', headers, body });
  return ok || (status >= OVER && status < 500 && !LATER.includes(status));
}

/** List games that were begun. */
function showRunning(games) {
  const place = document.getElementById('in-pocket');
  const open = games.filter(game => game.begun && !game.over);
  if (!place || !open.length) {
    return;
  }
  const list = document.createElement('ul');
  for (const { table, theme, heading, names } of open.sort((one, other) => other.touched - one.touched)) {
    const item = document.createElement('li');
    item.className = `notepad theme-${theme}`;
    const link = document.createElement('a');
    link.href = `/pocket?t=${table}`;
    const said = document.createElement('span');
    const title = document.createElement('strong');
    title.textContent = heading;
    said.append(title, ' ', names);
    link.append(said);
    item.append(link);
    list.append(item);
  }
  place.append(list);
  if (!window.scrollY) {
    document.querySelector('.home .choice')?.before(place); // first come the games that one is in
  }
  place.className = 'running';
  place.hidden = false;
}

/** Bring home what is over, and show what is not. */
async function comeHome() {
  const { store, games } = await openGames();
  showRunning(games);
  for (const game of games.filter(each => each.record && !each.told)) {
    if (await tellGame(game)) {
      const kept = store.transaction('games', 'readwrite').objectStore('games');
      await done(kept.put({ ...(await done(kept.get(game.table))), told: true }));
    }
  }
  store.close();
}

comeHome().catch(() => {}); // the next page tries again
addEventListener('online', () => comeHome().catch(() => {}));
