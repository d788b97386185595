// Confetti for the end of a game: a handful around the total, or over the whole table; none for a bad day.

import { calm } from './dom.js';

const INKS = ['--first', '--on-felt', '--act', '--second', '--third'];
const SIZES = [0, 22, 90];
const WHOLE = 2; // the size that falls over all of the page

/** Leap from the total. */
function leap(bit, place, number, from) {
  const angle = (place / number) * 2 * Math.PI;
  const far = 4 + Math.random() * 5;
  bit.style.left = `${from.left + from.width / 2}px`;
  bit.style.top = `${from.top + from.height / 2}px`;
  const to = `translate(${Math.cos(angle) * far}rem, ${Math.sin(angle) * far + 2}rem) rotate(${angle * 3}rad)`;
  const frames = [
    { transform: 'scale(.2)', opacity: 0 },
    { opacity: 1, offset: 0.15 },
    { opacity: 1, offset: 0.6 },
  ];
  return bit.animate([...frames, { transform: to, opacity: 0 }], {
    duration: 1_300,
    delay: 500,
    easing: 'cubic-bezier(.1, .7, .4, 1)',
    fill: 'both',
  });
}

/** Fall from above. */
function fall(bit) {
  bit.style.left = `${Math.random() * 100}%`;
  const turn = `rotate3d(${Math.random()}, ${Math.random()}, 1, ${360 + Math.random() * 900}deg)`;
  const to = `translate(${Math.random() * 8 - 4}rem, ${innerHeight + 40}px) ${turn}`;
  return bit.animate([{ transform: 'translateY(-2rem)' }, { transform: to }], {
    duration: 1_600 + Math.random() * 1_400,
    delay: Math.random() * 900,
    easing: 'cubic-bezier(.3, .3, .6, 1)',
    fill: 'both',
  });
}

/** Throw confetti by the size of what was done; it is gone in some seconds. */
export async function feast(size) {
  const number = SIZES[size] ?? 0;
  const from = document.querySelector('.reached .figure, #crown')?.getBoundingClientRect();
  if (!number || !from || calm.matches) {
    return;
  }
  const layer = document.body.appendChild(document.createElement('div'));
  layer.className = 'confetti';
  layer.setAttribute('aria-hidden', 'true');
  const bits = Array.from({ length: number }, () => layer.appendChild(document.createElement('i')));
  const flights = bits.map((bit, place) => {
    bit.style.background = `var(${INKS[place % INKS.length]})`;
    return (size === WHOLE ? fall(bit) : leap(bit, place, number, from)).finished;
  });
  await Promise.allSettled(flights);
  layer.remove();
}
