// What is said aloud to screen readers, and what went wrong.

const voice = document.getElementById('announce');
const trouble = document.getElementById('trouble');
const BESIDE = 6; // px
let isRefusal = false;

/** Say something to those who do not see the page. */
export function announce(text) {
  voice.textContent = text;
}

/** Show that something is wrong, or with '' that it no longer is. */
function warn(text) {
  if (trouble.textContent !== text) {
    trouble.textContent = text;
  }
  trouble.hidden = !text;
}

/** Show what the server says, beside what it is about: it stays until something works. */
export function refuse(text, about) {
  isRefusal = text !== '';
  warn(text);
  trouble.classList.toggle('beside', Boolean(about));
  if (about) {
    const { bottom } = about.getBoundingClientRect();
    trouble.style.top = `${bottom + BESIDE - trouble.offsetParent.getBoundingClientRect().top}px`;
  } else {
    trouble.style.top = '';
  }
}

/** Show that the connection is lost, or with '' that it is back: a refusal stays on the screen. */
export function connection(text) {
  if (text || !isRefusal) {
    isRefusal = false;
    warn(text);
  }
}
