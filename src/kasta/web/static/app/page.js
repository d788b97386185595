// What every page has. Without scripts every form still works; with them nothing has to be submitted twice.

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

/** Days are those of UTC: each visitor reads when that is, in their own language. */
function showTimes(selector, options) {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, options);
  for (const time of document.querySelectorAll(selector)) {
    time.textContent = format.format(new Date(time.dateTime));
  }
}

showTimes('time[data-day]', { dateStyle: 'long', timeZone: 'UTC' });
showTimes('time[data-clock]', { timeStyle: 'short' });
