// Questions, and links to take along, come into a dialog; without a script they are pages of their own.

const AS_DIALOG = { accept: 'application/vnd.kasta.parts+json' };
const dialog = document.createElement('dialog');
dialog.className = 'ask';
dialog.setAttribute('aria-labelledby', 'dialog-text');
document.body.append(dialog);

/** Show what the server says in a dialog. */
export function ask(html) {
  dialog.innerHTML = html;
  dialog.showModal();
}

/** Fetch what a link leads to, and show it; if that fails, follow the link. */
async function askAt(address) {
  try {
    const answer = await fetch(address, { headers: AS_DIALOG });
    if (!answer.ok) {
      throw new Error(answer.status);
    }
    ask(await answer.text());
  } catch {
    location.assign(address);
  }
}

document.addEventListener('click', event => {
  const link = event.target.closest('a[data-dialog]');
  if (link) {
    event.preventDefault();
    askAt(link.href);
  } else if (event.target === dialog || event.target.closest('.ask [data-close]')) {
    event.preventDefault();
    dialog.close();
  }
});
dialog.addEventListener('submit', () => dialog.close());
