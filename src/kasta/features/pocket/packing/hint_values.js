// What states of solved games are worth: files that a device has on wish (packing/values.py says what is in them).

const VALUES = 'kasta-pocket-values'; // the database
const BYTE = 256;
const HUNDREDTHS = 100;
const WRAP = 0xff_ff;
const stored = new Set(); // games of which this device has the file
const read = new Map(); // those that were unpacked

/** A request of the database, as a promise. */
const done = request =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Ask the database of these files. */
async function askValues(mode, question) {
  const asked = indexedDB.open(VALUES, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore('values');
  const open = await done(asked);
  try {
    return await done(question(open.transaction('values', mode).objectStore('values')));
  } finally {
    open.close();
  }
}

/** Know which files are here. */
async function lookForValues() {
  const names = await askValues('readonly', values => values.getAllKeys()).catch(() => []);
  for (const name of names) {
    stored.add(name);
  }
}

/** Get the file of a game from its address, and keep it. Whether it is here now. */
async function getValues(name, address) {
  if (!stored.has(name) && address) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) {
      const file = await answer.arrayBuffer();
      await askValues('readwrite', values => values.put(file, name));
      stored.add(name);
    }
  }
  return stored.has(name);
}

/** A file as tables. */
function tables(bytes) {
  const end = bytes.indexOf('\n'.charCodeAt(0));
  const { boxes, cap, ways } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  let at = end + 1;
  const take = size => {
    at += size;
    return bytes.subarray(at - size, at);
  };
  const part = take(2 ** boxes);
  const counts = take(ways * 2 ** boxes);
  const first = new Uint32Array(counts.length);
  let total = 0;
  for (const [place, count] of counts.entries()) {
    first[place] = total;
    total += count;
  }
  const rank = take((part.at(-1) + 1) * (cap + 1)); // with all boxes filled, the part is the last one
  const [high, low] = [take(total), take(total)];
  const worth = new Uint16Array(total);
  let last = 0;
  for (let place = 0; place < total; place += 1) {
    last = (last + high[place] * BYTE + low[place]) & WRAP;
    worth[place] = last;
  }
  return (mask, holds, upper) =>
    worth[first[ways * mask + (holds && ways > 1 ? 1 : 0)] + rank[part[mask] * (cap + 1) + upper]] / HUNDREDTHS;
}

/** Unpack the file of a game, if it is here: then Python can ask it. */
async function unpackValues(name) {
  if (!stored.has(name) || read.has(name)) {
    return;
  }
  const file = await askValues('readonly', values => values.get(name));
  const unpacked = new Response(file).body.pipeThrough(new DecompressionStream('gzip'));
  read.set(name, tables(new Uint8Array(await new Response(unpacked).arrayBuffer())));
}

self.hintValues = { names: stored, lookForValues, getValues, unpackValues };
self.kastaHasValues = name => stored.has(name);
self.kastaRest = (name, mask, holds, upper) => read.get(name)(mask, holds, upper);
