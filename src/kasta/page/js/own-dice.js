// Own dice are tapped, or typed; their sum shows as one goes.

import { table } from './dom.js';

let isPadOut = false; // the one for the next throw

/** What the faces in a form's field add up to, once there are two. */
function sumOf(form) {
  const faces = form.elements.faces.value.match(/[1-6]/g) ?? [];
  return faces.length > 1 ? faces.reduce((sum, face) => sum + Number(face), 0) : '';
}

/** Show the sums of what is typed. */
function showSums() {
  for (const form of document.querySelectorAll('form[data-faces]')) {
    form.querySelector('output').textContent = sumOf(form);
  }
}

/** Put the pad for corrections away. */
function putAway() {
  document.getElementById('fix')?.removeAttribute('open');
}

/** Once the next throw is asked for, one pad is enough, unless somebody opens the other. */
function tidyPads() {
  const wasOut = isPadOut;
  isPadOut = document.querySelector('.act .owndice') !== null;
  if (isPadOut && !wasOut) {
    putAway();
  }
  showSums();
}

document.addEventListener('click', event => {
  const key = event.target.closest('.pad button');
  if (key) {
    const field = key.form.elements.faces;
    field.value = (field.value + key.value).slice(-key.form.dataset.faces);
    showSums();
  }
});
document.addEventListener('input', event => {
  if (event.target.name === 'faces') {
    showSums();
  }
});
table.addEventListener('shown', tidyPads);
table.addEventListener('thrown', putAway);
tidyPads();
