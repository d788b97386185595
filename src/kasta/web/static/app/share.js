// Copy a text, or hand it to the device's other apps.

const SHOWN = 2000;

/** Say on a button for a moment that it is done. */
function done(button) {
  const label = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => {
    button.textContent = label;
  }, SHOWN);
}

/** Copy where the browser lets us; else by the old way, which works without https. */
async function copy(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement('textarea');
  field.value = text;
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

document.documentElement.classList.toggle('can-share', 'share' in navigator);

document.addEventListener('click', async event => {
  const button = event.target.closest('[data-copy], [data-share]');
  if (button?.dataset.copy) {
    await copy(button.dataset.copy);
    done(button);
  } else if (button) {
    const text = button.dataset.share;
    const what = text.startsWith('http') ? { url: text } : { text };
    navigator.share(what).catch(() => {}); // the visitor thought better of it
  }
});
