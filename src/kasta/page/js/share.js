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

/** The picture at an address as a file, if it can be had. */
async function pictures(address) {
  try {
    const blob = await (await fetch(address)).blob();
    return blob.type === 'image/png' ? [new File([blob], 'kasta.png', { type: blob.type })] : [];
  } catch {
    return [];
  }
}

/** What to share: a link, or a text, with its picture where the device takes one. */
async function parcel({ share, picture }) {
  if (share.startsWith('http')) {
    return { url: share };
  }
  const files = picture ? await pictures(picture) : [];
  const whole = { text: share, files };
  return files.length && navigator.canShare?.(whole) ? whole : { text: share };
}

document.documentElement.classList.toggle('can-share', 'share' in navigator);

document.addEventListener('click', async event => {
  const button = event.target.closest('[data-copy], [data-share]');
  if (button?.dataset.copy) {
    await copy(button.dataset.copy);
    done(button);
  } else if (button) {
    navigator.share(await parcel(button.dataset)).catch(() => {}); // the visitor thought better of it
  }
});
