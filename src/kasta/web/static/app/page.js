// What every page has. Without scripts every form still works; with them nothing has to be submitted twice.

import './share.js';

document.documentElement.classList.add('js');

document.querySelector('.language select')?.addEventListener('change', event => event.target.form.requestSubmit());

// A seat's link keeps its secret after #, where no server log sees it.
const secret = document.getElementById('secret');
if (secret) {
  secret.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
}

document.addEventListener('focusin', event => {
  if (event.target.matches('.link')) {
    event.target.select();
  }
});
