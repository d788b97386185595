// What was just picked stands on the sheet at once, in paler pencil, until the server has it. Its drawing lies under
// the server's, which is then written over it; if the server refuses, it fades.

import { play } from './taps.js';

const WIDTH = 60; // of a figure in components/pencil.html
const HEIGHT = 100;
const GONE = 400; // ms
const drawn = new Map(); // by the place that it is in: a cell, or the row of a box

/** A number, or a ring, as a hand draws it. */
function draw(text) {
  const box = document.createElement('template');
  const figures = [...text].map((digit, at) => `<use href="#d${digit}" x="${WIDTH * at}"/>`).join('');
  box.innerHTML = text
    ? `<svg class="pencil pale" viewBox="0 0 ${WIDTH * text.length} ${HEIGHT}" aria-hidden="true">${figures}</svg>`
    : '<svg class="ring pale" viewBox="0 0 100 100" aria-hidden="true"><use href="#ring"/></svg>';
  return box.content.firstElementChild;
}

/** What a tap on this button writes; '' is a ring around what stands there. */
function written(button) {
  const { mode, sum } = play().dataset;
  const text = mode === 'lines' || button.dataset.on || button.textContent ? '' : sum;
  return button.querySelector('.worth')?.textContent ?? text;
}

/** Write in pencil what a tap on a cell or box wants. */
export function sketch(button) {
  const place = button.closest('.cell, .block tr');
  rubOut(place);
  drawn.set(place, draw(written(button)));
  sketchAgain();
}

/** Have it stand there also after the page has changed. */
export function sketchAgain() {
  for (const [place, drawing] of drawn) {
    (place.querySelector('td.own') ?? place).append(drawing);
  }
}

/** Take it away, gently: what the server has written stays. */
export function rubOut(place) {
  const drawing = drawn.get(place);
  const fading = drawing?.animate({ opacity: [0.5, 0] }, GONE);
  fading?.finished.then(() => {
    drawing.remove();
    if (drawn.get(place) === drawing) {
      drawn.delete(place);
    }
  });
}
