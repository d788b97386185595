// Dice that have just fallen: told once, before the animation.

import { announce } from './announce.js';
import { calm, dice, tell } from './dom.js';

const FALL = [
  { transform: 'translateY(-1.6rem) rotate(-200deg) scale(.6)', opacity: 0 },
  { transform: 'none', opacity: 1 },
];
const TIMING = { duration: 600, easing: 'cubic-bezier(.2, .8, .3, 1.2)', fill: 'backwards' };

/** Tell of the throw that the page shows by now, and let its dice fall. */
export function thrown() {
  const said = dice().dataset.say;
  tell('thrown', said);
  announce(said);
  if (!calm.matches) {
    dice()
      .querySelectorAll('.die')
      .forEach((die, place) => {
        die.animate(FALL, { ...TIMING, delay: 70 * place });
      });
  }
}
