// Works out the throws of a table from its secret, as docs/dice.md tells anybody to.

import { hmac, join, sha256 } from './sha256.js';

const FAIR = 252; // bytes from here on would favour low faces

/** A number as so many bytes, the highest first. */
const bytesOf = (number, size) =>
  Uint8Array.from({ length: size }, (_, i) => Math.floor(number / 256 ** (size - 1 - i)) % 256);

/** A text as UTF-8. */
const utf8 = text => new TextEncoder().encode(text);

/** Bytes as hexadecimal digits. */
const hex = bytes => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');

/** Hexadecimal digits as bytes. */
const unhex = text => Uint8Array.from(text.match(/../g) ?? [], pair => parseInt(pair, 16));

/** What the table's name and everybody's entropy add. */
function saltOf(table, entropy) {
  const given = entropy.flatMap((text, seat) => [bytesOf(seat, 4), bytesOf(utf8(text).length, 1), utf8(text)]);
  return sha256(join(utf8(table), ...given));
}

/** The faces of throw n, for so many dice. */
function facesOf(key, salt, n, count) {
  const faces = [];
  for (let block = 0; faces.length < count; block++) {
    const bytes = hmac(key, join(salt, bytesOf(n, 8), bytesOf(block, 4)));
    faces.push(...[...bytes].filter(byte => byte < FAIR).map(byte => (byte % 6) + 1));
  }
  return faces.slice(0, count);
}

// A day numbers its throws by rounds.
/** The first throw that is not the one that had been fixed; -1 if the secret itself is another, null if all is well. */
export function firstWrong({ table, commitment, entropy, secret, known }, rolls, numbers) {
  const key = unhex(secret);
  if (hex(sha256(key)) !== commitment) {
    return -1;
  }
  const salt = saltOf(known?.table ?? table, known?.entropy ?? entropy);
  const wrong = rolls.findIndex((roll, n) => facesOf(key, salt, numbers?.[n] ?? n, roll.length).join() !== roll.join());
  return wrong < 0 ? null : wrong;
}
