// The one script of the pages. Without it every form still works; with it nothing reloads, and the page stays alive.
document.documentElement.classList.add('js');
const table = document.getElementById('table');
const calm = matchMedia('(prefers-reduced-motion: reduce)');

// ---- make one element like another, keeping what has focus and what stays the same
export function morph(from, to) {
  if (from.isEqualNode(to)) return;
  if (from.nodeName !== to.nodeName) { from.replaceWith(to); return; }
  if (from.nodeType !== 1) { if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue; return; }
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !(name === 'open' && from.localName === 'details')) from.removeAttribute(name);
  }
  const given = from.getAttribute('value');
  for (const { name, value } of to.attributes) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  if (from.localName === 'input' && from !== document.activeElement && given !== to.getAttribute('value')) from.value = to.value;
  const known = new Map([...from.children].filter(child => child.id).map(child => [child.id, child]));
  let place = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    let match = wanted.id ? known.get(wanted.id) : place;
    if (match && !wanted.id && match.id) match = null;
    if (!match || match.nodeName !== wanted.nodeName) { from.insertBefore(wanted, place); continue; }
    if (match === place) place = place.nextSibling; else from.insertBefore(match, place);
    morph(match, wanted);
  }
  while (place) { const next = place.nextSibling; place.remove(); place = next; }
}

const query = new URLSearchParams(location.search);          // which own sheet and which line is looked at
let hurry = 0, hurried = '';
function hasten() {                                           // a warning 20 s before a bot stands in
  const status = document.getElementById('status'), turn = status?.querySelector('#dice')?.dataset.turn;
  if (!status?.dataset.pace) { clearTimeout(hurry); hurried = ''; return; }
  if (turn === hurried) return;
  hurried = turn;
  clearTimeout(hurry);
  hurry = setTimeout(() => worry(status.dataset.hurry, true), Math.max(0, status.dataset.pace - 20) * 1000);
}
let counted = null;
function countUp() {                                          // at the end, line by line, on all phones at once
  const boxes = [...document.querySelectorAll('#mine .box.earned')], total = document.querySelector('#mine .total strong');
  if (!boxes.length || !total || calm.matches) return;
  const end = total.textContent;
  let sum = Number(end) - boxes.reduce((all, box) => all + Number(box.querySelector('[title]')?.textContent ?? 0), 0);
  total.textContent = counted = sum;
  boxes.forEach((box, place) => setTimeout(() => {
    box.classList.add('fresh');
    sum += Number(box.querySelector('[title]')?.textContent ?? 0);
    counted = place === boxes.length - 1 ? null : sum;
    total.textContent = counted ?? end;
  }, 350 * (place + 1)));
}
let corrected = document.getElementById('status')?.dataset.corrected;
const newest = () => Math.max(last, document.getElementById('status').dataset.seq);   // what is heard of or shown
function show(html) {                                         // false if it was overtaken on its way: what is past is not shown again
  const phase = document.getElementById('status')?.dataset.phase;
  const page = new DOMParser().parseFromString(html, 'text/html');
  if (Number(page.getElementById('status').dataset.seq) < newest()) return false;
  const before = table.querySelector('#dice').dataset.turn, said = table.querySelector('.say strong')?.textContent;
  const focus = table.contains(document.activeElement) ? document.activeElement : null;
  for (const part of [...page.body.children]) {
    const old = part.id && document.getElementById(part.id);
    if (old) morph(old, part);
  }
  for (const job of waiting) job.mark?.classList.add('pending');
  const status = document.getElementById('status');
  if (status?.dataset.title) document.title = `${status.dataset.title} · Kasta`;
  const says = table.querySelector('.say strong')?.textContent;
  if (table.querySelector('#dice').dataset.turn !== before) thrown(); else if (says !== said) announce(says);
  if (status.dataset.corrected !== corrected) worry(status.dataset.corrected ? table.dataset.corrected : '', true);
  corrected = status.dataset.corrected;
  if (focus && (!focus.isConnected || focus.disabled)) status?.focus({ preventScroll: true });   // the next stop is what is to do now
  if (status?.dataset.phase === 'over' && phase !== 'over') countUp(); else if (counted === null) celebrate(); else document.querySelector('#mine .total strong').textContent = counted;
  hasten();
  typed();
  handOver();
  return true;
}
function announce(text) { document.getElementById('announce').textContent = text; }
function thrown() {                                           // told once, before the animation
  const dice = document.getElementById('dice');
  look();
  announce(dice.dataset.say);
  call(dice.dataset.say);
  if (calm.matches) return;
  dice.querySelectorAll('.die').forEach((die, place) => die.animate(
    [{ transform: 'translateY(-1.6rem) rotate(-200deg) scale(.6)', opacity: 0 }, { transform: 'none', opacity: 1 }],
    { duration: 600, delay: 70 * place, easing: 'cubic-bezier(.2, .8, .3, 1.2)', fill: 'backwards' }));
}
const seen = new Set([...document.querySelectorAll('#mine .box.fresh')].map(box => box.textContent));
function celebrate() {                                        // a finished hand is a small moment
  for (const box of document.querySelectorAll('#mine .box.fresh')) {
    const hand = box.querySelector('[title]')?.title, points = box.querySelector('[title]')?.textContent;
    if (!hand || seen.has(box.textContent)) continue;
    seen.add(box.textContent);
    const moment = Object.assign(document.createElement('div'), { className: 'moment', textContent: `${hand[0].toUpperCase()}${hand.slice(1)}! ${points}` });
    moment.setAttribute('aria-hidden', 'true');
    document.body.append(moment);
    setTimeout(() => moment.remove(), 1900);
  }
}

// ---- the page stays alive
const ended = table && document.querySelector('#status a.button') !== null;   // there was a rematch when this page opened
let last = Number(table?.dataset.seq ?? 0), source = null, heard = 0, fetching = null, again = false;
const trouble = document.getElementById('trouble');
let refused = false;                                          // what was said stays until something works; a lost connection until it is back
function worry(text, said = false) {
  if (!trouble || (!text && refused && !said)) return;
  refused = said && !!text;
  if (trouble.textContent !== text) trouble.textContent = text;
  trouble.hidden = !text;
}
async function fetchParts() {
  try {
    const answer = await fetch(`${table.dataset.table}/parts?${query}`, { headers: { accept: 'text/vnd.kasta.parts' } });
    if (answer.ok) { show(await answer.text()); worry(''); } else if (answer.status === 404) location.reload();
  } catch { worry(table.dataset.retry); }
}
function refresh() {                                          // one at a time; done when nothing newer was asked for
  again = true;
  return fetching ??= (async () => {
    while (again) { again = false; await fetchParts(); }
    fetching = null;
  })();
}
function listen() {
  if (source || document.hidden) return;
  heard = Date.now();
  source = new EventSource(`${table.dataset.table}/stream?after=${last}`);
  source.onopen = () => { heard = Date.now(); worry(''); };
  source.onerror = () => { worry(table.dataset.retry); if (source?.readyState === 2) { quiet(); setTimeout(listen, 1000 + Math.random() * 2000); } };
  source.addEventListener('beat', () => { heard = Date.now(); });
  source.addEventListener('gone', () => location.assign('/'));
  source.addEventListener('news', event => {
    heard = Date.now();
    const news = JSON.parse(event.data), seq = Number(event.lastEventId), dice = document.getElementById('dice');
    if (seq >= newest() && Number(dice.dataset.turn) !== news.turn) {
      morph(dice, new DOMParser().parseFromString(news.dice, 'text/html').body.firstElementChild);
      thrown();
    }
    last = Math.max(last, seq);
    if (news.moved && !ended) location.assign(`/t/${news.moved}`);   // the rematch takes everybody along
    else if (news.crowd) setTimeout(refresh, Math.random() * 1500); else refresh();
  });
}
function quiet() { source?.close(); source = null; }
if (table) {
  document.addEventListener('visibilitychange', () => { if (document.hidden) setTimeout(() => document.hidden && quiet(), 5000); else { listen(); refresh(); flush(); } });
  addEventListener('pagehide', quiet);
  addEventListener('pageshow', event => { listen(); if (event.persisted) refresh(); });
  addEventListener('online', () => { listen(); refresh(); flush(); });
  setInterval(() => { if (source && Date.now() - heard > 40000) { quiet(); listen(); refresh(); } }, 5000);
  listen();
}

// ---- speech: on this device only, in the page's language or not at all
const speak = document.getElementById('speak');
if (speak) {
  speak.checked = localStorage.getItem('kasta-speak') === '1';
  speak.addEventListener('change', () => localStorage.setItem('kasta-speak', speak.checked ? '1' : '0'));
}
function call(text) {
  if (!speak?.checked || !text || !('speechSynthesis' in window)) return;
  const language = document.documentElement.lang, voice = speechSynthesis.getVoices().find(each => each.lang.startsWith(language === 'nb' ? 'n' : language));
  if (!voice) return;
  speechSynthesis.cancel();
  speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(text), { voice, lang: voice.lang }));
}

// ---- forms: what cannot be sent now stays visibly pending and is sent later, or refused aloud
const waiting = [];
async function send(job) {
  const answer = await fetch(job.action, { method: 'POST', body: job.body, headers: { accept: 'text/vnd.kasta.parts' } });
  if ([502, 503, 504].includes(answer.status)) throw new Error(answer.status);   // later, perhaps
  job.mark?.classList.remove('pending');
  job.mark = null;
  if (answer.redirected) location.assign(answer.url);
  else if (answer.ok && answer.headers.get('content-type').startsWith('text/plain')) { job.form.reset(); worry(await answer.text(), true); }
  else if (answer.ok) { job.form.reset(); worry('', true); query.delete('serve'); if (!show(await answer.text())) await refresh(); follow(job); }
  else { worry(await answer.text(), true); refresh(); }
}
let sending = false;
async function flush() {
  if (sending) return;
  sending = true;
  try {
    while (waiting.length) { await send(waiting[0]); waiting.shift(); }
  } catch {
    worry(`${table.dataset.retry} ${table.dataset.pending}`);
    setTimeout(flush, 2000);
  } finally { sending = false; }
}
document.addEventListener('submit', event => {
  const form = event.target;
  if (!form.matches('form[data-live]') || !table) return;
  event.preventDefault();
  const data = new FormData(form, event.submitter);
  if (!data.get('do') && form.elements.do) return;
  const mark = event.submitter?.closest('.cell, .block tr');
  const earlier = sending ? -1 : waiting.findIndex(job => job.form === form);
  if (earlier >= 0) waiting.splice(earlier, 1)[0].mark?.classList.remove('pending');   // not sent yet: it moves
  mark?.classList.add('pending');
  waiting.push({ action: form.action, body: new URLSearchParams(data), mark, form });
  flush();
});

// ---- own sheets are tabs, lines are begun by tapping their box
function look(seat) {                                         // at one's sheet, or at whoever's turn it is
  if (seat) query.set('seat', seat); else query.delete('seat');
  query.delete('serve');
  history.replaceState(null, '', query.size ? `?${query}` : location.pathname);
}
function follow(job) {                                        // once a sheet is done, the next one that is not comes up
  const now = document.querySelector('.tabs [aria-current]'), due = document.querySelectorAll('.tabs .due');
  if (!now || !job.form.id.startsWith('play-')) return;
  if (due.length && !now.querySelector('.due')) { look(); refresh(); } else look(now.dataset.seat);
}
document.addEventListener('click', event => {
  const link = event.target.closest('[data-seat], [data-serve]');
  if (!link || !table) return;
  event.preventDefault();
  if (link.dataset.seat) look(link.dataset.seat); else query.set('serve', link.dataset.serve);
  refresh();
});

// ---- the curtain: where this device's players want it, a sheet shows when its owner has the phone
const hand = document.getElementById('hand'), curtain = document.getElementById('curtain');
let holder = null;
if (hand) {
  hand.checked = localStorage.getItem('kasta-curtain') === '1';
  hand.addEventListener('change', () => localStorage.setItem('kasta-curtain', hand.checked ? '1' : '0'));
}
function handOver() {
  const now = document.querySelector('.tabs [aria-current]');
  if (!now || now.dataset.seat === holder) return;
  holder = now.dataset.seat;
  if (!hand?.checked || !['throw', 'pick'].includes(document.getElementById('status')?.dataset.phase)) return;
  curtain.querySelector('p').textContent = curtain.dataset.text.replace('{name}', () => now.dataset.name);
  if (!curtain.open) curtain.showModal();
}
handOver();

// ---- own dice are tapped, or typed
document.addEventListener('click', event => {
  const key = event.target.closest('.pad button'), form = key?.form;
  if (!key) return;
  form.elements.faces.value = (form.elements.faces.value + key.value).slice(-form.dataset.faces);
  typed();
});
document.addEventListener('input', event => { if (event.target.name === 'faces') typed(); });
function typed() {
  for (const form of document.querySelectorAll('form[data-faces]')) {
    const faces = form.elements.faces.value.match(/[1-6]/g) ?? [];
    form.querySelector('output').textContent = faces.length > 1 ? faces.reduce((sum, face) => sum + Number(face), 0) : '';
  }
}
typed();

// ---- the language changes at once; a seat's link keeps its secret after #
document.querySelector('.language select')?.addEventListener('change', event => event.target.form.requestSubmit());
const secret = document.getElementById('secret');
if (secret) { secret.value = location.hash.slice(1); history.replaceState(null, '', location.pathname); }
document.addEventListener('focusin', event => { if (event.target.matches('.link')) event.target.select(); });
