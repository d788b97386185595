// Asks the browser for notices, once somebody has wished for them here, and tells the server where to send them.

import 'kasta/page.js';

const form = document.getElementById('wish');

/** base64url as bytes. */
function bytes(text) {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, sign => sign.charCodeAt(0));
}

/** Where this browser is reached: the subscription that it has, or a new one. */
async function subscription() {
  const { pushManager } = await navigator.serviceWorker.ready;
  const key = bytes(form.dataset.key);
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    if (error.name !== 'InvalidStateError') {
      throw error;
    }
    await (await pushManager.getSubscription())?.unsubscribe(); // it was for another server's key
    return pushManager.subscribe(options);
  }
}

/** Ask, and send the form. */
async function wish() {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error('denied');
  }
  const { endpoint, keys } = (await subscription()).toJSON();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const [name, value] of Object.entries({ endpoint, ...keys, zone: timeZone })) {
    if (form.elements[name]) {
      form.elements[name].value = value;
    }
  }
  form.submit();
}

/** Let the browser forget where it is reached. */
async function forget() {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

if ('PushManager' in window && 'Notification' in window && navigator.serviceWorker) {
  form.hidden = false;
  document.getElementById('cannot').hidden = true;
  form.addEventListener('submit', event => {
    event.preventDefault();
    wish().catch(() => {
      document.getElementById('refused').textContent = form.dataset.denied;
    });
  });
  document.getElementById('stop')?.addEventListener('submit', () => forget().catch(() => {}));
}
