// Dice of one's own: places fill as faces are tapped or typed, a tap on a place erases it, and when all are known it
// goes on by itself. What is told stands in a field, which those who cannot see the places use.

import { status, table } from './dom.js';

const BREATH = 800; // ms, in which one may still erase
const told = new Map(); // by field: the face in each place, with gaps
let isPadOut = false; // the one for the next throw
let timer = 0;

/** The places that are not kept. */
const open = form => [...form.querySelectorAll('.hole:not([data-kept])')];

/** What is in the places of a form: what was typed, unless it was tapped there. */
function facesOf(form) {
  const field = form.elements.faces;
  const typed = field.value.match(/[1-6]/g) ?? [];
  if (told.get(field.id)?.join('') !== typed.join('')) {
    told.set(field.id, typed);
  }
  return told.get(field.id);
}

/** What there is to say: how many dice are missing, and then what they add up to, where that counts. */
function sayLeft(form, faces) {
  const output = form.querySelector('output');
  const known = faces.filter(Boolean);
  const left = form.dataset.faces - known.length;
  const sum = form.dataset.shows === 'sum' ? known.reduce((all, face) => all + Number(face), 0) : '';
  output.textContent = left > 0 ? output.dataset.left.replace('{number}', left) : sum;
}

/** Show what is told so far. */
function show(form) {
  const faces = facesOf(form);
  const next = open(form).findIndex((_, at) => !faces[at]);
  for (const [at, place] of open(form).entries()) {
    const { dataset } = place.querySelector('.cube');
    if (faces[at]) {
      dataset.face = faces[at];
    } else {
      delete dataset.face;
    }
    place.classList.toggle('empty', at === next);
  }
  sayLeft(form, faces);
}

/** Go on in a moment, once all is told and something is new. */
function goOn(form) {
  const field = form.elements.faces;
  const isFull = facesOf(form).filter(Boolean).length === Number(form.dataset.faces);
  clearTimeout(timer);
  form.classList.toggle('full', isFull && field.value !== field.defaultValue);
  if (form.matches('.full')) {
    timer = setTimeout(() => form.isConnected && form.requestSubmit(), BREATH);
  }
}

/** Have a place hold a face, or none. */
function put(form, place, face) {
  const faces = facesOf(form);
  faces[place] = face;
  form.elements.faces.value = faces.join('');
  show(form);
  goOn(form);
}

/** Fill the next place. */
function fill(form, face) {
  const next = open(form).findIndex((_, at) => !facesOf(form)[at]);
  if (next >= 0) {
    put(form, next, face);
  }
}

/** Erase what was told last. */
function erase(form) {
  const last = facesOf(form).findLastIndex(Boolean);
  if (last >= 0) {
    put(form, last, '');
  }
}

/** Put the places for corrections away. */
function putAway() {
  document.getElementById('fix')?.removeAttribute('open');
}

/** Once the next throw is asked for, one row of places is enough, unless somebody opens the other. */
function tidy() {
  const wasOut = isPadOut;
  isPadOut = document.querySelector('.act .owndice') !== null;
  if (isPadOut && !wasOut) {
    putAway();
  }
  document.querySelectorAll('.owndice').forEach(show);
}

document.addEventListener('click', ({ target }) => {
  const form = target.closest('.owndice');
  const key = target.closest('.pad button');
  const place = target.closest('.hole:not([data-kept])');
  if (key) {
    fill(form, key.value);
  } else if (place) {
    put(form, open(form).indexOf(place), '');
  }
});
document.addEventListener('input', ({ target }) => {
  const form = target.name === 'faces' && target.closest('.owndice');
  if (form) {
    show(form);
    goOn(form);
  }
});
// Where the tray itself has the focus, figures are meant for it.
document.addEventListener('keydown', ({ key, target }) => {
  const form = target === status() && status().querySelector('.act .owndice');
  if (form && /^[1-6]$/.test(key)) {
    fill(form, key);
  } else if (form && key === 'Backspace') {
    erase(form);
  }
});
document.addEventListener('submit', () => clearTimeout(timer));
table.addEventListener('shown', tidy);
table.addEventListener('thrown', putAway);
tidy();
