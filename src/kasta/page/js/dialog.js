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

/** Send a form whose answer belongs into a dialog. That opens at once: nothing comes under a finger later. */
async function askBy(form, button) {
  const answer = waitingFor(button.dataset.dialog);
  try {
    const body = new URLSearchParams(new FormData(form, button));
    const response = await fetch(button.formAction, { method: 'POST', body, headers: AS_DIALOG });
    const text = await response.text();
    if (response.ok) {
      answer.innerHTML = text;
    } else {
      answer.querySelector('h1').textContent = text;
    }
  } catch {
    answer.querySelector('h1').textContent = document.querySelector('#table').dataset.retry;
  }
  answer.querySelector('h1').focus();
}

/** A dialog that says what it waits for, and where the answer goes; who closes it does not see it. */
function waitingFor(text) {
  const answer = document.createElement('div');
  const heading = document.createElement('h1');
  heading.id = 'dialog-text';
  heading.tabIndex = -1;
  heading.textContent = text;
  answer.append(heading);
  dialog.replaceChildren(answer);
  dialog.showModal();
  heading.focus();
  return answer;
}

document.addEventListener('submit', event => {
  if (event.submitter?.matches('button[data-dialog]')) {
    event.preventDefault();
    event.stopImmediatePropagation();
    askBy(event.target, event.submitter);
  }
});
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
