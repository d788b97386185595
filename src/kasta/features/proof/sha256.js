// SHA-256 and HMAC of our own: over plain http browsers offer none.

const WORD = 2 ** 32;
const BLOCK = 64;

/** The first primes. */
function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n++) {
    if (found.every(prime => n % prime)) {
      found.push(n);
    }
  }
  return found;
}

/** The first 32 bits behind the point. */
const fraction = x => ((x - Math.floor(x)) * WORD) >>> 0;

const ROUNDS = primes(64).map(prime => fraction(Math.cbrt(prime)));
const START = primes(8).map(prime => fraction(Math.sqrt(prime)));

/** A word turned to the right. */
const rotate = (x, n) => (x >>> n) | (x << (32 - n));

/** The message with its end mark and its length in bits, in whole blocks. */
function padded(bytes) {
  const blocks = new Uint8Array((((bytes.length + 8) >> 6) + 1) * BLOCK);
  const view = new DataView(blocks.buffer);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  view.setUint32(blocks.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(blocks.length - 4, bytes.length << 3);
  return view;
}

/** The 64 words that one block is spread to. */
function schedule(view, at) {
  const w = new Int32Array(64);
  for (let i = 0; i < 16; i++) {
    w[i] = view.getInt32(at + 4 * i);
  }
  for (let i = 16; i < 64; i++) {
    const a = w[i - 15];
    const b = w[i - 2];
    const one = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const two = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    w[i] = w[i - 16] + one + w[i - 7] + two;
  }
  return w;
}

/** The hash after one more block. */
function compress(hash, w) {
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const one = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + ROUNDS[i] + w[i]) | 0;
    const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (hash[i] + word) | 0);
}

/** The SHA-256 of bytes, as bytes. */
export function sha256(bytes) {
  const view = padded(bytes);
  let hash = START;
  for (let at = 0; at < view.byteLength; at += BLOCK) {
    hash = compress(hash, schedule(view, at));
  }
  const out = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => {
    out.setInt32(4 * i, word);
  });
  return new Uint8Array(out.buffer);
}

/** Bytes one after the other. */
export const join = (...parts) => Uint8Array.from(parts.flatMap(part => [...part]));

/** The HMAC-SHA-256 of a message, with a key of at most one block. */
export function hmac(key, message) {
  const pad = x => Uint8Array.from({ length: BLOCK }, (_, i) => (key[i] ?? 0) ^ x);
  return sha256(join(pad(0x5c), sha256(join(pad(0x36), message))));
}
