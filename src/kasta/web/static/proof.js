// Works out every throw again, on this device, with a SHA-256 of our own: over plain http browsers offer none.
const K = [], H = [];
for (let n = 2, found = 0; found < 64; n++) {
  if ([...Array(n).keys()].slice(2).every(d => n % d)) {
    const part = x => ((x - Math.floor(x)) * 2 ** 32) >>> 0;
    if (found < 8) H.push(part(Math.sqrt(n)));
    K.push(part(Math.cbrt(n)));
    found++;
  }
}
const rotate = (x, n) => (x >>> n) | (x << (32 - n));
export function sha256(bytes) {
  const length = bytes.length, blocks = new Uint8Array(((length + 8 >> 6) + 1) << 6), view = new DataView(blocks.buffer);
  blocks.set(bytes); blocks[length] = 0x80;
  view.setUint32(blocks.length - 8, Math.floor(length / 2 ** 29)); view.setUint32(blocks.length - 4, length << 3);
  const hash = [...H], w = new Int32Array(64);
  for (let at = 0; at < blocks.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >>> 3) + w[i - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >>> 10) | 0;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const one = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + (e & f ^ ~e & g) + K[i] + w[i] | 0;
      const two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, d + one | 0, c, b, a, one + two | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => { hash[i] = hash[i] + x | 0; });
  }
  const out = new Uint8Array(32);
  hash.forEach((x, i) => new DataView(out.buffer).setInt32(4 * i, x));
  return out;
}
const join = (...parts) => Uint8Array.from(parts.flatMap(part => [...part]));
export function hmac(key, message) {
  const pad = x => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ x);
  return sha256(join(pad(0x5c), sha256(join(pad(0x36), message))));
}
const big = (number, size) => Uint8Array.from({ length: size }, (_, i) => Math.floor(number / 256 ** (size - 1 - i)) % 256);
const text = string => new TextEncoder().encode(string);
const hex = bytes => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
const unhex = string => Uint8Array.from(string.match(/../g) ?? [], pair => parseInt(pair, 16));

export function firstWrong({ table, commitment, entropy, secret }, rolls) {     // -1: the secret itself; null: proven
  const key = unhex(secret);
  if (hex(sha256(key)) !== commitment) return -1;
  const salt = sha256(join(text(table), ...entropy.flatMap((given, seat) => [big(seat, 4), big(text(given).length, 1), text(given)])));
  for (const [n, roll] of rolls.entries()) {
    const faces = [];
    for (let block = 0; faces.length < roll.length; block++) {
      for (const byte of hmac(key, join(salt, big(n, 8), big(block, 4)))) if (byte < 252 && faces.length < roll.length) faces.push(byte % 6 + 1);
    }
    if (faces.join() !== roll.join()) return n;
  }
  return null;
}

const verdict = document.getElementById('verdict');
if (verdict) {
  const lines = (await (await fetch(verdict.dataset.record)).text()).trim().split('\n').map(line => JSON.parse(line));
  const wrong = firstWrong(lines[0].dice, lines.filter(line => line.roll).map(line => line.roll));
  verdict.textContent = wrong === null ? verdict.dataset.proven : verdict.dataset.wrong.replace('{n}', wrong + 1);
  verdict.className = wrong === null ? 'verdict' : 'trouble';
}
